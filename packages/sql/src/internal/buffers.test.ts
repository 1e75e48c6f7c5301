import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDriver } from '../openDriver.ts'
import { megabytesFor } from './buffers.ts'

const MEGABYTE = 2 ** 20
const folder = await mkdtemp(join(tmpdir(), 'firn-buffers-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Creates a database folder with a sparse table file of the given size. */
const tables = async (name: string, bytes: number): Promise<string> => {
  const path = join(folder, name)
  const file = join(path, 'base', '1', '1259')
  await mkdir(join(path, 'base', '1'), { recursive: true })
  await writeFile(file, '')
  await truncate(file, bytes)
  return path
}

test('uses the smallest buffers for a database in a new folder', async () => {
  const driver = await openDriver({ folder: join(folder, 'new') }, 'public')
  try {
    expect(await driver.control('show shared_buffers')).toEqual([{ shared_buffers: '16MB' }])
  } finally {
    await driver.close()
  }
})

test.each([
  ['0', 0, 16],
  ['100', 100 * MEGABYTE, 100],
  ['1000', 1000 * MEGABYTE, 128],
])(
  'chooses a buffer size between the minimum and the maximum for tables of %s MiB',
  async (name, bytes, megabytes) => {
    expect(await megabytesFor(await tables(name, bytes))).toBe(megabytes)
  },
)
