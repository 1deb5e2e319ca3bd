"""The game for another machine: WebAssembly that tells and searches its positions, and tables to
read these by.

    Program + Scope --emit, native--> modules      layout + sites --tables--> plain data      both:
    `Draft`

Begin with `drafted`.
"""
