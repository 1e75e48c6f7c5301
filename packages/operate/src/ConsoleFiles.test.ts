import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  vi.resetModules()
})

it('reads the files again after an attempt that failed', async () => {
  // Another test may have read the files, which the module keeps.
  vi.resetModules()
  const { load } = await import('./ConsoleFiles.ts')
  vi.spyOn(fs, 'existsSync').mockReturnValue(false)
  const readdir = vi.spyOn(fs.promises, 'readdir').mockResolvedValue(['index.html'] as never)
  const readFile = vi.spyOn(fs.promises, 'readFile').mockRejectedValueOnce(new Error('EMFILE'))
  syncBuiltinESMExports()
  await expect(load()).rejects.toThrow('EMFILE')
  readFile.mockResolvedValueOnce('<html>')
  const files = await load()
  expect(new TextDecoder().decode(files?.page.bytes)).toBe('<html>')
  expect(await load()).toBe(files)
  expect(readdir).toHaveBeenCalledTimes(2)
})
