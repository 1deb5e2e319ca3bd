-- Starts `stacklaw lsp` for the files of a ruleset: copy this to ~/.config/nvim/plugin/stacklaw.lua.
local files = { "*.rules", "*.claims", "*.rulings", "*.clauses" }
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { pattern = files, callback = function(opened)
  vim.bo[opened.buf].filetype = "stacklaw"
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(opened.buf), ":p:h")
  local server = { name = "stacklaw", cmd = { "stacklaw", "lsp" }, root_dir = folder }
  if vim.lsp.start then return vim.lsp.start(server) end
  StacklawClient = StacklawClient or vim.lsp.start_client(server) -- Neovim 0.7
  vim.lsp.buf_attach_client(opened.buf, StacklawClient)
end })
vim.api.nvim_create_autocmd({ "CursorHold", "InsertLeave" },
  { pattern = files, callback = function() vim.lsp.codelens.refresh() end })
