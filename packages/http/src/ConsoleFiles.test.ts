import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'
import { load } from './ConsoleFiles.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

it('reads the files again after an attempt that failed', async () => {
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
