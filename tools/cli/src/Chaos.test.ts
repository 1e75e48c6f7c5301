import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hex } from '@firn/codec'
import { EvmDoctor, EvmStore } from '@firn/evm-store'
import { Lease } from '@firn/sql'
import { TestPostgres } from '@firn/sql/testing'
import { StateDigest, Store } from '@firn/store'
import { recordedStore } from '@firn/store/testing'
import { afterAll, describe, expect, test } from 'vitest'
import * as Audit from './testing/Audit.ts'
import { disrupt, randomFrom, readAll } from './testing/chaos.ts'
import { type Growing, startGrowing } from './testing/growing.ts'
import { Replica } from './testing/Replica.ts'
import { startFirn } from './testing/startFirn.ts'

/** Duration of a long run in seconds. A long run also tests three replicas of each service. */
const LONG = process.env['FIRN_CHAOS_SECONDS']
const SIZES = LONG === undefined ? [2] : [2, 3]
/** Duration in seconds with each number of replicas. */
const SECONDS = LONG === undefined ? 10 : Number(LONG) / SIZES.length
const SEED = Number(process.env['FIRN_CHAOS_SEED'] ?? 1)
const BLOCKS = { primary: 203, evm: 400 } as const
const NETWORK_ID = 12345
const CHAIN_ID = 31_337n

const root = mkdtempSync(join(tmpdir(), 'firn-chaos-'))
const closers: (() => unknown)[] = [() => rmSync(root, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const FLAGS = {
  node: ['--http-port', '0', '--staking-port', '0'],
  'data-api': ['--port', '0', '--no-rate-limits'],
  evm: ['--port', '0', '--gateway-port', '0', '--no-rate-limits'],
} as const
type Kind = keyof typeof FLAGS
const KINDS = Object.keys(FLAGS) as readonly Kind[]

interface World {
  readonly databaseUrl: string
  readonly upstreams: { readonly primary: Growing; readonly evm: Growing }
}

const replicaOf = (kind: Kind, name: string, { databaseUrl, upstreams }: World): Replica => {
  const source =
    kind === 'evm'
      ? ['--chain', `${CHAIN_ID}=${upstreams.evm.url}`]
      : ['--upstream', upstreams.primary.url, '--poll-interval', '100']
  const dataDir = join(root, name)
  return new Replica(kind, [
    kind,
    '--database-url',
    databaseUrl,
    '--data-dir',
    dataDir,
    ...source,
    ...FLAGS[kind],
  ])
}

/**
 * Returns the height that a service reports. Returns undefined for status 503, after which the request can be
 * repeated.
 */
const read = async (
  url: string,
  path: string,
  heightIn: (body: Answer) => unknown,
  init: RequestInit = {},
) => {
  const answer = await fetch(url + path, { ...init, signal: AbortSignal.timeout(5_000) })
  const body = await answer.text()
  if (answer.status === 503) return undefined
  const height = answer.status === 200 ? heightIn(JSON.parse(body) as Answer) : undefined
  if (height === undefined) throw new RangeError(`${answer.status} ${body}`)
  return BigInt(String(height))
}

interface Answer {
  readonly result?: { readonly height?: string }
  readonly blocks?: readonly { readonly blockNumber: string }[]
}

const READS: Readonly<Record<Kind, (url: string) => Promise<bigint | undefined>>> = {
  node: (url) =>
    read(url, '/ext/bc/P', ({ result }) => result?.height, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'platform.getHeight', params: {} }),
    }),
  'data-api': (url) =>
    read(
      url,
      '/v1/networks/local/blockchains/p-chain/blocks?pageSize=1',
      ({ blocks }) => blocks?.[0]?.blockNumber,
    ),
  evm: (url) =>
    read(url, `/v1/chains/${CHAIN_ID}/blocks?pageSize=1`, ({ blocks }) => blocks?.[0]?.blockNumber),
}

const reason = TestPostgres.missing()

describe.skipIf(reason !== undefined)('replicas on one PostgreSQL', { tags: ['postgres'] }, () => {
  test.each(SIZES)(
    'keeps all data with %i replicas of each service and lets only one replica write at a time',
    async (size) => {
      const server = await TestPostgres.start()
      closers.push(() => server.close())
      const upstreams = { primary: await startGrowing('primary', 20), evm: await startGrowing('evm', 20) }
      closers.push(
        () => upstreams.primary.close(),
        () => upstreams.evm.close(),
      )
      const world = { databaseUrl: server.url, upstreams }
      const store = await Store.open({ url: server.url, networkId: NETWORK_ID, connections: 4 })
      const evmStore = await EvmStore.open({ url: server.url, chainId: CHAIN_ID, connections: 4 })
      closers.push(
        () => store.close(),
        () => evmStore.close(),
      )

      const faults: string[] = []
      const counts = new Map<string, number>()
      const onFault = (words: string) => void faults.push(words)
      const groups = KINDS.map((kind) =>
        Array.from({ length: size }, (_, i) => replicaOf(kind, `${size}-${kind}-${i}`, world)),
      )
      const all = groups.flat()
      closers.push(() => Promise.all(all.map((one) => one.end('SIGKILL'))))
      // All replicas start at once on an empty database.
      for (const one of all) one.start(onFault)
      const isUp = () => faults.length > 0 || all.every(({ url }) => url !== undefined)
      await expect.poll(isUp).toBe(true)
      expect(faults).toEqual([])
      await Promise.all([Audit.install(store), Audit.install(evmStore)])

      const stop = new AbortController()
      const until = Date.now() + SECONDS * 1000
      const random = randomFrom(SEED * 10 + size)
      const working = groups.flatMap((replicas, i) => {
        const kind = KINDS[i] as Kind
        const leased = kind === 'evm' ? evmStore : store
        const stored = async () => (kind === 'evm' ? await cursorOf(evmStore) : await cursorOf(store))
        const writer = async () => Number((await Lease.holderOf(leased))?.holder.split(' ')[1])
        const reading = { replicas, read: READS[kind], stored, onFault, counts }
        return [
          disrupt({ replicas, random, writer, onEnd: onFault, counts }, stop.signal),
          ...[1, 2].map(() => readAll(reading, random, stop.signal)),
        ]
      })
      for (let part = 0; part < 1; ) {
        await sleep(100)
        part = Math.min(1 - (until - Date.now()) / (SECONDS * 1000), 1)
        upstreams.primary.grow(Math.floor(20 + (BLOCKS.primary - 20) * part))
        upstreams.evm.grow(Math.floor(20 + (BLOCKS.evm - 20) * part))
      }
      stop.abort()
      await Promise.all(working)
      await expect.poll(isUp).toBe(true)

      const heights = async () => [(await store.snapshot()).key, (await evmStore.snapshot()).height]
      await expect.poll(heights).toEqual(['85.35.83', BigInt(BLOCKS.evm - 1)])
      const codes = await Promise.all(all.map((one) => one.end('SIGTERM')))
      expect(codes.filter((code) => code !== 0 && code !== 130)).toEqual([])
      expect(faults).toEqual([])
      expect(Hex.encode(await StateDigest.of(store))).toBe(
        Hex.encode(await StateDigest.of(await recordedStore('local'))),
      )
      expect(await digestOf(evmStore)).toBe(await calmDigest(upstreams.evm))
      expect((await EvmDoctor.check(evmStore)).faults).toEqual([])
      for (const one of [store, evmStore]) {
        const commits = await Audit.read(one)
        expect(commits.length).toBeGreaterThan(0)
        expect(Audit.faults(commits)).toEqual([])
        counts.set(`writers of ${one.schema}`, new Set(commits.map(({ fence }) => fence)).size)
      }
      console.log(`${size} replicas:`, [...counts].map(([what, n]) => `${n} ${what}`).join(', '))
    },
  )
})

/** Returns the height that the P-chain or the EVM chain has reached in the database. */
const cursorOf = async ({ driver, schema }: Store | EvmStore): Promise<bigint> => {
  const where = schema.startsWith('evm') ? '' : `where chain = 'P'`
  const [row] = await driver.transaction((session) => session.query(`select height from cursor ${where}`))
  return row?.['height'] as bigint
}

const digestOf = async (store: EvmStore): Promise<string> => {
  const [range] = await EvmDoctor.completeness(store)
  return `${range?.first} to ${range?.last} ${Hex.encode(range?.chainDigest ?? new Uint8Array())}`
}

/** Returns the digest of the same chain after a single process indexed it without disruptions. */
const calmDigest = async (upstream: Growing): Promise<string> => {
  const server = await TestPostgres.start()
  closers.push(() => server.close())
  const source = ['--database-url', server.url, '--chain', `${CHAIN_ID}=${upstream.url}`]
  const calm = startFirn(['evm', ...source, ...FLAGS.evm])
  const store = await EvmStore.open({ url: server.url, chainId: CHAIN_ID, connections: 1 })
  try {
    await expect.poll(() => calm.lines.join()).toContain('Press Ctrl-C')
    await expect.poll(() => cursorOf(store)).toBe(BigInt(BLOCKS.evm - 1))
    return await digestOf(store)
  } finally {
    await store.close()
    calm.stop()
    expect(await calm.code).toBe(0)
  }
}
