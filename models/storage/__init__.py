"""What is kept on this machine: named by digest, signed with this user's key, opened without
following links.
"""
