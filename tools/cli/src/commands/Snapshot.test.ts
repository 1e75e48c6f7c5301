import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { EvmAddress } from '@firn/keys'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as SnapshotList from '../SnapshotList.ts'
import { type Databases, startDatabases } from '../testing/databases.ts'
import { startFirn } from '../testing/startFirn.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-snapshot-'))
const file = join(folder, 'local.snapshot')
let databases: Databases
let rejected: readonly string[]
beforeAll(async () => {
  databases = await startDatabases(folder)
  rejected = await databases.create('rejected')
})
afterAll(async () => {
  await databases.close()
  rmSync(folder, { recursive: true, force: true })
})

const firn = async (...argv: readonly string[]) => {
  const { lines, notes, code } = startFirn(argv)
  return { code: await code, lines: [...lines], notes: notes.join('\n') }
}
const importInto = (data: readonly string[], ...more: readonly string[]) =>
  firn('snapshot', 'import', file, ...data, ...more)

/** Serves the files of a folder, and breaks each connection after 100 kB. */
const serve = async (root: string) => {
  const requests: (string | undefined)[] = []
  const server: Server = createServer((request, response) => {
    const path = join(root, request.url as string)
    if (!existsSync(path)) return void response.writeHead(404).end()
    const bytes = readFileSync(path)
    const { range } = request.headers
    requests.push(range)
    const start = Number(range?.match(/^bytes=(\d+)-$/)?.[1] ?? 0)
    const rest = bytes.subarray(start)
    const headers = { etag: `"${bytes.length}"`, 'content-length': rest.length }
    response.writeHead(range === undefined ? 200 : 206, headers)
    if (rest.length <= 100_000) return void response.end(rest)
    response.write(rest.subarray(0, 100_000), () => setImmediate(() => response.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { requests, url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

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
    const to = ['--data-dir', join(folder, 'to')]
    const { code, lines } = await importInto(to, '--verify')
    expect(code).toBe(0)
    expect(lines).toEqual([
      'network 12345: P 85, X 35, C 83',
      exported[1],
      'applied all blocks again: every table is the same',
    ])
    expect(readdirSync(folder)).not.toContain('local.snapshot.part')
    const again = await importInto(to)
    expect(again.code).toBe(1)
    expect(again.notes).toContain('the database already contains network 12345')
  })

  test('imports the newest snapshot of a signed list from a server whose connections break', async () => {
    const [key, other, list] = ['key', 'other-key', 'snapshots.json'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(key, '11'.repeat(32))
    writeFileSync(other, '22'.repeat(32))
    const signed = await firn('snapshot', 'sign', file, '--key-file', key, '--to', list)
    const publisher = signed.lines[1]?.split(' ').at(-1) as string
    expect(signed.lines[0]).toMatch(/^local.snapshot: network 12345, .*, P 85, X 35, C 83, \d+ bytes$/)

    const { requests, url, close } = await serve(folder)
    try {
      const from = ['snapshot', 'import', `${url}/snapshots.json`, '--network-id', '12345', '--publisher']
      const found = await firn(...from, publisher, ...(await databases.create('published')))
      expect(found).toMatchObject({ code: 0 })
      expect(found.lines.slice(1)).toEqual(['network 12345: P 85, X 35, C 83', exported[1]])
      expect(requests.filter((range) => range !== undefined).length).toBeGreaterThan(2)

      const stranger = await firn('snapshot', 'list', list, '--publisher', `0x${'ab'.repeat(20)}`)
      expect(stranger.notes).toContain(`the list is signed by ${publisher}, expected 0xABaBaBaB`)
      const absent = await firn(...from, publisher, ...rejected, '--network-id', 'fuji')
      expect(absent.notes).toContain('the list has no snapshot of network 5')
      const [entry] = SnapshotList.parse(readFileSync(list, 'utf8'), EvmAddress.parse(publisher))
      const wrong = { ...(entry as SnapshotList.Entry), sha256: new Uint8Array(32) }
      writeFileSync(list, SnapshotList.sign([wrong], new Uint8Array(32).fill(0x11)))
      const changed = await firn(...from, publisher, ...rejected)
      expect(changed.notes).toContain('has another SHA-256 than the list says')
      const missing = await firn('snapshot', 'import', `${url}/missing.snapshot`, ...rejected)
      expect(missing.notes).toContain('missing.snapshot: HTTP 404')
      expect([stranger, absent, changed, missing].map(({ code }) => code)).toEqual([1, 1, 1, 1])
    } finally {
      close()
    }
  })

  test('rejects another digest than the expected one', async () => {
    const other = await databases.create('other')
    const { code, notes } = await importInto(other, '--digest', '00'.repeat(32))
    expect(code).toBe(1)
    expect(notes).toContain(`expected 0x${'00'.repeat(32)}`)
    expect((await importInto(other, '--digest', exported[1]?.replace('digest ', '') ?? '')).code).toBe(0)
  })

  test('rejects files that are no whole snapshot, and files that cannot be read', async () => {
    const missing = await firn('snapshot', 'import', join(folder, 'missing'), ...rejected)
    expect(missing.notes).toContain('cannot read')
    const other = await firn('snapshot', 'import', new URL(import.meta.url).pathname, ...rejected)
    expect(other.notes).toContain('is not a snapshot, or it is damaged')
    truncateSync(file, 100_000)
    const cut = await importInto(rejected)
    expect(cut.notes).toContain('the snapshot file is damaged')
    expect([missing.code, other.code, cut.code]).toEqual([1, 1, 1])
  })
})
