import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFirn } from '../testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-snapshot-'))
const file = join(folder, 'local.snapshot')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const firn = async (...argv: readonly string[]) => {
  const { lines, notes, code } = startFirn(argv)
  return { code: await code, lines: [...lines], notes: notes.join('\n') }
}
const importInto = (name: string, ...more: readonly string[]) =>
  firn('snapshot', 'import', file, '--data-dir', join(folder, name), ...more)

describe('firn snapshot', () => {
  let exported: readonly string[] = []
  beforeAll(async () => {
    const vectors = new URL('../../../../services/indexer/vectors/local.json.gz', import.meta.url)
    const { files } = JSON.parse(gunzipSync(readFileSync(vectors)).toString()) as {
      files: Record<string, string>
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'archive', path)), { recursive: true })
      writeFileSync(join(folder, 'archive', path), text)
    }
    const data = ['--data-dir', join(folder, 'from')]
    expect((await firn('index', '--from', join(folder, 'archive'), ...data)).code).toBe(0)
    const { code, lines } = await firn('snapshot', 'export', '--to', file, ...data)
    expect(code).toBe(0)
    exported = lines
  })

  test('copies a database into an empty one, and applies its blocks again', async () => {
    const { code, lines } = await importInto('to', '--verify')
    expect(code).toBe(0)
    expect(lines).toEqual([
      'network 12345: P 85, X 35, C 83',
      exported[1],
      'applied all blocks again: every table is the same',
    ])
    expect(readdirSync(folder)).not.toContain('local.snapshot.part')
    const again = await importInto('to')
    expect(again.code).toBe(1)
    expect(again.notes).toContain('the database already contains network 12345')
  })

  test('rejects another digest than the expected one', async () => {
    const { code, notes } = await importInto('other', '--digest', '00'.repeat(32))
    expect(code).toBe(1)
    expect(notes).toContain(`expected 0x${'00'.repeat(32)}`)
    expect((await importInto('other', '--digest', exported[1]?.replace('digest ', '') ?? '')).code).toBe(0)
  })

  test('rejects files that are no whole snapshot, and files that cannot be read', async () => {
    const data = ['--data-dir', join(folder, 'rejected')]
    const missing = await firn('snapshot', 'import', join(folder, 'missing'), ...data)
    expect(missing.notes).toContain('cannot read')
    const other = await firn('snapshot', 'import', new URL(import.meta.url).pathname, ...data)
    expect(other.notes).toContain('is not a snapshot, or it is damaged')
    truncateSync(file, 100_000)
    const cut = await importInto('rejected')
    expect(cut.notes).toContain('the snapshot file is damaged')
    expect([missing.code, other.code, cut.code]).toEqual([1, 1, 1])
  })
})
