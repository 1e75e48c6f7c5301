import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createRecordedDevnet, RecordedNetwork } from '@firn/devnet'
import { createArchiveSource, GenesisFiles } from '@firn/indexer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Run from '../Run.ts'
import { type Databases, startDatabases } from '../testing/databases.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-node-'))
const archive = join(folder, 'archive')
const helicon = join(folder, 'helicon')
const unpack = (name: string, to: string) => {
  const file = new URL(`../../../../services/indexer/vectors/${name}.json.gz`, import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { files: Record<string, string> }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text)
  }
}
let databases: Databases
/** Flags of a database that several tests use. */
let first: readonly string[]
beforeAll(async () => {
  databases = await startDatabases(folder)
  first = await databases.create('first')
  unpack('local', archive)
  unpack('helicon', helicon)
})
afterAll(async () => {
  await databases.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Running {
  /** Resolves to the output once the node serves requests. */
  readonly served: Promise<string>
  readonly stop: () => Promise<{ code: number; out: string; notes: string }>
}

/** Starts `firn …`, which runs until a signal or until it ends by itself. */
const start = (...argv: readonly string[]): Running => {
  const out: string[] = []
  const notes: string[] = []
  const controller = new AbortController()
  const up = Promise.withResolvers<string>()
  const print = (line: string) => {
    out.push(line)
    if (line.startsWith('Press Ctrl-C')) up.resolve(out.join('\n'))
  }
  const { signal } = controller
  const ended = Run.run(argv, { print, note: (line) => notes.push(line), isInteractive: false, signal })
  ended.then((code) => up.reject(new Error(`ended with ${code}: ${notes.join('\n')}`)), up.reject)
  up.promise.catch(() => undefined)
  const stop = async () => {
    controller.abort()
    return { code: await ended, out: out.join('\n'), notes: notes.join('\n') }
  }
  return { served: up.promise, stop }
}

const firn = async (...argv: readonly string[]) => {
  const running = start(...argv)
  await running.served.catch(() => undefined)
  return running.stop()
}

const node = (data: readonly string[], ...flags: readonly string[]) =>
  start('node', ...data, '--http-port', '0', ...flags)
const urlIn = (text: string) => /http:\S+/.exec(text)?.[0] ?? ''

const call = async (url: string, path: string, method: string, params: object = {}) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await (await fetch(`${url}/ext/${path}`, { method: 'POST', headers, body })).json()) as {
    result?: Record<string, string>
    error?: { message: string }
  }
}

describe('firn node', () => {
  test('serves an archive that it indexes, and another node that follows it reaches the same digests', async () => {
    const original = node(first, '--from', archive, '--index-enabled')
    const text = await original.served
    expect(text).toContain('local (12345), P 85, X 35, C 83')
    expect(text).toMatch(/^paths .*\/ext\/bc\/P .*\/ext\/index\/C\/block$/m)
    const url = urlIn(text)
    expect((await call(url, 'bc/P', 'platform.getHeight')).result).toEqual({ height: '85' })
    const example = /-d '([^']+)' (\S+)/.exec(text) ?? []
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(example[2] ?? '', { method: 'POST', headers, body: example[1] ?? '' })
    expect(await answer.text()).toContain('"result"')

    const second = ['--data-dir', join(folder, 'second')]
    const follower = node(
      second,
      '--upstream',
      url,
      '--poll-interval',
      '50',
      '--health-check-frequency',
      '1s',
    )
    const copy = urlIn(await follower.served)
    expect((await call(copy, 'bc/P', 'platform.getHeight')).result).toEqual({ height: '85' })
    expect((await call(copy, 'bc/C/avax', 'avax.getUTXOs')).error?.message).toBe('no addresses provided')
    const health = async () =>
      (await (await fetch(`${copy}/ext/health`)).json()) as { checks: object; healthy: boolean }
    // A check that failed while the node started is repeated after the frequency.
    await expect.poll(async () => (await health()).healthy, { interval: 200 }).toBe(true)
    expect(Object.keys((await health()).checks)).toEqual(expect.arrayContaining(['indexer', 'upstream', 'P']))
    expect(await (await fetch(`${copy}/ext/metrics`)).text()).toContain('firn_indexer_height{chain="P"} 85')
    expect(await follower.stop()).toMatchObject({ code: Run.EXIT.ok })
    expect(await original.stop()).toMatchObject({ code: Run.EXIT.ok })
    const digests = await Promise.all([first, second].map((data) => firn('doctor', '--digests', ...data)))
    expect(digests[0]?.out).toMatch(/^P +85 +0x[0-9a-f]{64}$/m)
    expect(digests[1]?.out).toBe(digests[0]?.out)
  })

  test('follows a custom network without an upgrade file, with the digests of the archive', async () => {
    const [recorded, following] = await Promise.all(['custom', 'following'].map(databases.create))
    if (recorded === undefined || following === undefined) throw new Error('no databases')
    const original = node(recorded, '--from', helicon, '--index-enabled')
    const genesis = ['--genesis-file', join(helicon, 'genesis', 'genesis.json')]
    const upstream = ['--upstream', urlIn(await original.served), '--poll-interval', '50']
    const file = join(folder, 'upgrade.json')
    writeFileSync(file, '{"heliconTime":"2027-01-15T08:00:00Z"}')
    const refused = await firn('node', ...following, ...genesis, ...upstream, '--upgrade-file', file)
    expect(refused.notes).toMatch(
      /heliconTime is "2027-01-15T08:00:00Z" in --upgrade-file and "2026-11-21T\S+Z" in the node at --upstream/,
    )
    const follower = node(following, ...genesis, ...upstream)
    expect(await follower.served).toContain('network-1337 (1337), P 43, X 5, C 192')
    expect(await follower.stop()).toMatchObject({ code: Run.EXIT.ok })
    expect(await original.stop()).toMatchObject({ code: Run.EXIT.ok })
    const digests = await Promise.all(
      [recorded, following].map((data) => firn('doctor', '--digests', ...data)),
    )
    // The archive has X-chain blocks without their containers, so only the digests of the chains are equal.
    const [expected, followed] = digests.map(({ out }) =>
      out.split('\n').filter((line) => /^[PXC] /.test(line)),
    )
    expect(expected).toHaveLength(3)
    expect(followed).toEqual(expected)
  })

  test('reaches the tip from a genesis and five peers of which two lie, with the digests of the archive', async () => {
    const source = createArchiveSource(helicon)
    const rules = await GenesisFiles.load({ archive: helicon, now: 0n })
    const network = await RecordedNetwork.read({ rules, source })
    const joining = await databases.create('peers')
    const archiving = await databases.create('archived')
    const devnet = await createRecordedDevnet({ network, faults: { 0: 'any', 1: 'any' } })
    try {
      const { ids, ips } = devnet.bootstrap
      const file = (name: string) => join(helicon, 'genesis', `${name}.json`)
      const genesis = ['--genesis-file', file('genesis'), '--upgrade-file', file('upgrade')]
      const often = ['--health-check-frequency', '100ms']
      const joined = node(joining, ...genesis, ...often, '--bootstrap-ids', ids, '--bootstrap-ips', ips)
      expect(await joined.served).toContain('network-1337 (1337), P 43, X 5, C 192')
      const url = urlIn(await joined.served)
      const health = async () => {
        const { checks } = (await (await fetch(`${url}/ext/health`)).json()) as {
          checks: { indexer: { message: { phase: string } } }
        }
        return checks.indexer.message.phase
      }
      await expect.poll(health).toBe('following')
      expect(await joined.stop()).toMatchObject({ code: Run.EXIT.ok })
    } finally {
      await devnet.close()
      await source.close()
    }
    await firn('index', ...archiving, '--from', helicon)
    const [peers, archived] = await Promise.all(
      [joining, archiving].map((data) => firn('doctor', '--digests', ...data)),
    )
    // The archive has X-chain blocks without their containers, so only the digests of the chains are equal.
    const chains = (out = '') => out.split('\n').filter((line) => /^[PXC] /.test(line))
    expect(chains(peers?.out)).toHaveLength(3)
    expect(chains(peers?.out)).toEqual(chains(archived?.out))
  })

  test('serves previously indexed data without --network', async () => {
    const reader = node(first, '--index-enabled')
    expect(await reader.served).toContain('local (12345), P 85, X 35, C 83')
    await reader.stop()
  })

  test("exits with the real node's message and exit status if an index would become incomplete", async () => {
    const { code, notes } = await firn('node', ...first, '--http-port', '0')
    expect(notes).toContain(
      'running would cause index to become incomplete but incomplete indices are disabled',
    )
    expect(code).toBe(Run.EXIT.ok)
  })

  test('reports an error in one sentence, with an exit status', async () => {
    const none = await databases.create('none')
    expect(await firn('node', ...none)).toMatchObject({
      code: 1,
      notes: expect.stringContaining('The database holds no network yet.'),
    })
    expect(await firn('node', '--http-port', 'x')).toMatchObject({
      code: 2,
      notes: expect.stringContaining('--http-port: expected a whole number'),
    })
    const nowhere = await firn('node', ...none, '--from', join(folder, 'nowhere'))
    expect(nowhere).toMatchObject({ code: 1, notes: expect.stringContaining('expected an archive') })
    expect(await firn('node', '--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('--http-port'),
    })
  })
})
