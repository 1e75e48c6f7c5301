import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as Meter from '@firn/options/meter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from '../Run.ts'
import { type Databases, startDatabases } from '../testing/databases.ts'

/** Runs `firn …` and returns its exit code and output. */
const firn = async (argv: readonly string[], signal = new AbortController().signal) => {
  const out: string[] = []
  const notes: string[] = []
  const code = await Run.run(argv, {
    print: (line) => out.push(line),
    note: (line) => notes.push(line),
    isInteractive: false,
    signal,
  })
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

const folder = mkdtempSync(join(tmpdir(), 'firn-index-'))
const archive = join(folder, 'archive')
const data = ['--data-dir', join(folder, 'data')]
let databases: Databases
beforeAll(async () => {
  databases = await startDatabases(folder)
  const file = new URL('../../../../services/indexer/vectors/local.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(archive, path)), { recursive: true })
    writeFileSync(join(archive, path), text)
  }
})
afterAll(async () => {
  await databases.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('firn index, archive and doctor', () => {
  test('keeps the digests when an archive is indexed, written again from the database, and indexed again', async () => {
    const indexed = await firn(['index', '--from', archive, '--metrics-port', '0', ...data])
    expect(indexed).toMatchObject({ code: 0, out: 'P 85, X 35, C 83, stopped' })
    expect(indexed.notes).toMatch(/metrics and health on http:\/\/127\.0\.0\.1:\d+/)
    const first = await firn(['doctor', ...data])
    expect(first).toMatchObject({ code: 0 })
    expect(first.out).toMatch(/^P +85 +0x[0-9a-f]{64}$/m)
    expect(first.out).toMatch(/nothing is missing$/)
    const to = join(folder, 'again')
    expect(await firn(['archive', ...data, '--to', to])).toMatchObject({ code: 0 })
    const again = await databases.create('again')
    expect(await firn(['index', '--from', to, ...again])).toMatchObject({ code: 0 })
    const second = await firn(['doctor', '--digests', ...again])
    expect(second.out).toBe(first.out)
  })

  test('exits with the interruption status on a signal, and resumes at the next run', async () => {
    const database = await databases.create('stopped')
    const stop = new AbortController()
    stop.abort()
    const stopped = await firn(['index', '--from', archive, ...database], stop.signal)
    expect(stopped.code).toBe(Run.EXIT.interrupted)
    expect((await firn(['index', '--from', archive, ...database])).code).toBe(0)
  })

  test.each(['index', 'up', 'node'])('%s refuses peers beside a node or an archive', async (command) => {
    const peers = ['--bootstrap-ids', 'NodeID-1', '--bootstrap-ips', '127.0.0.1:9651']
    for (const source of [
      ['--upstream', 'http://127.0.0.1:1'],
      ['--from', archive],
    ]) {
      expect(await firn([command, ...source, ...peers])).toMatchObject({
        code: 2,
        notes: expect.stringContaining(`pass either ${source[0]} or --bootstrap-ids`),
      })
    }
  })

  test('reports an error in one sentence, with an exit status', async () => {
    expect(await firn(['index'])).toMatchObject({
      code: 2,
      notes: expect.stringMatching(
        /nothing to index: pass --network mainnet, --network fuji, --upstream, --from or --bootstrap-ids/,
      ),
    })
    const none = await firn(['index', '--from', join(folder, 'nowhere')])
    expect(none).toMatchObject({ code: 1, notes: expect.stringMatching(/expected an archive/) })
    const nobody = await firn(['doctor', ...(await databases.create('none'))])
    expect(nobody).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/The database holds no network yet/),
    })
    expect((await firn(['index', '--upstream', 'nonsense'])).code).toBe(Run.EXIT.usage)
    expect((await firn(['index', '--from', archive, '--metrics-port', '99999'])).code).toBe(Run.EXIT.usage)
    expect((await firn(['archive'])).code).toBe(Run.EXIT.usage)
  })
})

test('formats the remaining time in its two largest units', () => {
  const texts = [0, 0.2, 59, 61, 3_600, 7_384, 200_000].map(Meter.duration)
  expect(texts).toEqual(['0 s', '1 s', '59 s', '1 min 1 s', '1 h', '2 h 3 min', '2 d 7 h'])
})
