import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LogFile, type LogFileOptions } from './LogFile.ts'

let folder: string
let now = Date.UTC(2026, 10, 21)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function create(options: Partial<LogFileOptions> = {}) {
  const lost: unknown[] = []
  const file = new LogFile({
    path: join(folder, 'logs', 'C.log'),
    maxSize: 20,
    maxFiles: 2,
    now: () => now++,
    onLost: (error) => lost.push((error as NodeJS.ErrnoException).code),
    ...options,
  })
  return { file, lost }
}

const names = async () => (await readdir(join(folder, 'logs'))).sort()
const text = (name: string) => readFile(join(folder, 'logs', name), 'utf8')

test('appends each line immediately, after the lines that an earlier process wrote', async () => {
  const first = create()
  first.file.write('one\n')
  expect(await text('C.log')).toBe('one\n')
  create().file.write('two\n')
  expect(await text('C.log')).toBe('one\ntwo\n')
  expect((await stat(join(folder, 'logs', 'C.log'))).mode & 0o777).toBe(0o640)
})

test('rotates a full file and deletes the oldest files', async () => {
  await mkdir(join(folder, 'logs'))
  await writeFile(join(folder, 'logs', 'C-other.log'), 'not of this logger')
  const { file } = create()
  for (let line = 0; line < 10; line++) file.write(`0123456789 ${line}\n`)
  const all = await names()
  expect(all).toHaveLength(4)
  expect(all).toContain('C-other.log')
  const full = all.filter((name) => /^C-2026-11-21T.*Z\.log$/.test(name))
  expect(await Promise.all(full.map(text))).toEqual([
    '0123456789 4\n0123456789 5\n',
    '0123456789 6\n0123456789 7\n',
  ])
  expect(await text('C.log')).toBe('0123456789 8\n0123456789 9\n')
})

test('counts the lines of an earlier process toward the file size', async () => {
  create().file.write('0123456789 0123456789\n')
  const { file } = create()
  file.write('one\n')
  file.write('two\n')
  expect(await names()).toHaveLength(2)
  expect(await text('C.log')).toBe('two\n')
})

test('drops lines while the file cannot be written, reports this once, and writes again later', async () => {
  await writeFile(join(folder, 'logs'), 'a file where the folder should be')
  const { file, lost } = create()
  file.write('one\n')
  file.write('two\n')
  expect(lost).toEqual(['EEXIST'])
  await rm(join(folder, 'logs'))
  file.write('three\n')
  expect(await text('C.log')).toBe('three\n')
  await rm(join(folder, 'logs'), { recursive: true })
  file.close()
  await writeFile(join(folder, 'logs'), '')
  file.write('four\n')
  expect(lost).toEqual(['EEXIST', 'EEXIST'])
})
