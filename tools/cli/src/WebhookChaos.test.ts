import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '@firn/data-api'
import { client, WebhookModel } from '@firn/data-api/testing'
import { type InventedOptions, inventedChain } from '@firn/evm/testing'
import { EvmStore } from '@firn/evm-store'
import { TestPostgres } from '@firn/sql/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { randomFrom } from './testing/chaos.ts'
import { Replica } from './testing/Replica.ts'
import { type BranchingNode, startBranchingNode } from './testing/webhooks/branchingNode.ts'
import { killAll, type Processes, startSupervised } from './testing/webhooks/supervise.ts'
import { TARGET_FAULTS, type TargetFaultName } from './testing/webhooks/targetFaults.ts'
import { startTargets, type Targets } from './testing/webhooks/targets.ts'

/** Duration of a long run in seconds. */
const LONG = process.env['FIRN_CHAOS_SECONDS']
const SEED = Number(process.env['FIRN_CHAOS_SEED'] ?? 1)
const SIZE =
  LONG === undefined
    ? { webhooks: 60, accounts: 8, indexers: 1, workers: 2, rounds: 1, seconds: 60 }
    : {
        ...{ webhooks: 1_000, accounts: 100, indexers: 2, workers: 3, rounds: 1e9, seconds: Number(LONG) },
      }
const OWNERS = 2
const INSIDE = '127.0.0.2'

/** The chains. Blocks of the second one are settled by the third block above them, and reorgs end above settled blocks. */
const CHAINS: readonly { readonly id: bigint; readonly depth: number; readonly options: InventedOptions }[] =
  [
    { id: 1_337n, depth: 6, options: { seed: 10 * SEED + 1, transactions: [0, 3], accounts: SIZE.accounts } },
    {
      id: 1_338n,
      depth: 2,
      options: { seed: 10 * SEED + 2, transactions: [0, 3], accounts: SIZE.accounts, isAsynchronous: true },
    },
  ]

/** What becomes of the messages of a webhook: how often its target fails. */
const MOODS = {
  steady: { faults: 0, isInside: false },
  moody: { faults: 0.4, isInside: false },
  /** Fails until the end of the faults. */
  down: { faults: 1, isInside: false },
  /** Has an address inside, which the operator allowed once. */
  inside: { faults: 0, isInside: true },
} as const
type Mood = keyof typeof MOODS

interface Webhook extends WebhookModel.Filter {
  readonly name: string
  readonly mood: Mood
  readonly owner: number
  readonly chain: number
  readonly isSettled: boolean
}

const moodOf = (i: number): Mood =>
  i % 30 === 29 ? 'inside' : i % 10 === 7 ? 'down' : i % 3 === 1 ? 'moody' : 'steady'

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const random = randomFrom(SEED)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const below = (limit: number) => Math.floor(random() * limit)

/** Returns the arguments of the processes that index, and of those that send messages. */
const argumentsOf = (nodes: readonly BranchingNode[], databaseUrl: string) => {
  const common = [
    '--database-url',
    databaseUrl,
    '--port',
    '0',
    '--no-rate-limits',
    '--webhook-networks',
    '127.0.0.1',
  ]
  const chains = nodes.flatMap(({ chainId, url }) => ['--chain', `${chainId}=${url}`])
  const stored = nodes.flatMap(({ chainId }) => ['--chain', String(chainId)])
  const quick = ['--webhook-timeout', '1s', '--webhook-longest-delay', '500ms', '--webhook-concurrency', '24']
  return {
    indexer: [
      'evm',
      ...common,
      ...chains,
      ...['--gateway-port', '0', '--poll-interval', '100', '--no-check-balances'],
      ...['--no-webhook-delivery', '--webhook-networks', INSIDE],
    ],
    worker: ['data-api', ...common, ...stored, ...quick],
    /** Workers that give up early. */
    hasty: [
      'data-api',
      ...common,
      ...stored,
      ...quick,
      '--webhook-longest-delay',
      '50ms',
      '--webhook-give-up',
      '10ms',
    ],
  }
}

const untilUp = (replicas: readonly Replica[], faults: readonly string[]) =>
  expect.poll(() => faults.length > 0 || replicas.every(({ url }) => url !== undefined)).toBe(true)

/** Calls an endpoint, of another process if one does not answer. */
const call = async (replicas: readonly Replica[], key: string, path: string, body?: object) => {
  for (const until = Date.now() + 60_000; ; await sleep(100)) {
    const { url } = pick(replicas)
    const init = { headers: { 'x-data-api-key': key }, signal: AbortSignal.timeout(10_000) }
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = url && (await fetch(url + path, { ...init, ...post }).catch(() => undefined))
    if (response && response.status < 500) {
      expect([response.ok, response.ok || (await response.text())]).toEqual([true, true])
      // biome-ignore lint/suspicious/noExplicitAny: tests access members of any response body
      return (await response.json()) as any
    }
    if (Date.now() > until) throw new RangeError(`${path}: no answer for a minute`)
  }
}

const reason = TestPostgres.missing()

describe.skipIf(reason !== undefined)('webhooks of processes that are killed', { tags: ['postgres'] }, () => {
  test('sends every transaction of the chain, in order, by signed messages, and every removal', async () => {
    const server = await TestPostgres.start()
    closers.push(() => server.close())
    const nodes = await Promise.all(CHAINS.map(({ id, options }) => startBranchingNode(id, options, 2)))
    for (const node of nodes) closers.push(node.close)
    const faults: string[] = []
    const onFault = (words: string) => void faults.push(words)
    const { indexer, worker, hasty } = argumentsOf(nodes, server.url)
    const indexers = Array.from({ length: SIZE.indexers }, () => new Replica('indexers', indexer))
    const workers = Array.from({ length: SIZE.workers }, () => new Replica('workers', worker))
    const replicas = [...indexers, ...workers]
    closers.push(() => Promise.all(replicas.map((one) => one.end('SIGKILL'))))
    const counts = new Map<string, number>()
    const processes: Processes = { server, replicas, random, onFault, counts }
    for (const one of indexers) startSupervised(one, processes)
    await untilUp(indexers, faults)

    const store = await EvmStore.open({ url: server.url, chainId: CHAINS[0]?.id ?? 0n, connections: 1 })
    const scopes = ['webhooks', 'data'] as const
    const limits = { unitsPerMinute: undefined, unitsPerDay: undefined }
    const keys = await Promise.all(
      Array.from({ length: OWNERS }, (_, i) =>
        createKey(store, { name: `${i}`, scopes: [...scopes], ...limits }, randomBytes, 0),
      ),
    )
    await store.close()
    for (const { id } of CHAINS)
      await expect
        .poll(
          async () =>
            (await call(indexers, keys[0] ?? '', `/v1/chains/${id}/blocks?pageSize=1`)).blocks[0]
              ?.blockNumber,
        )
        .toBe('1')
    const sdks = keys.map((key) => client(indexers[0]?.url ?? '', key))
    const secrets = await Promise.all(
      sdks.map(async (sdk) => (await sdk.webhooks.generateOrRotateSharedSecret()).secret),
    )

    const webhooks = new Map<string, Webhook>()
    /** Webhooks whose targets fail always. */
    const failing = new Set<string>()
    let areFaulty = true
    const names = Object.keys(TARGET_FAULTS) as TargetFaultName[]
    const faultOf = (name: string): TargetFaultName | undefined => {
      if (failing.has(name)) return 'is unavailable'
      const found = webhooks.get(name)
      if (!areFaulty || found === undefined || random() >= MOODS[found.mood].faults) return undefined
      // What is down takes no message.
      return pick(found.mood === 'down' ? names.filter((one) => !TARGET_FAULTS[one].isTaken) : names)
    }
    const verify = async (name: string, body: string, headers: Record<string, string>) => {
      const owner = webhooks.get(name)?.owner ?? 0
      const request = { body, headers, method: 'POST', url: 'http://127.0.0.1/' }
      return sdks[owner]?.validateWebhook({ request, secret: secrets[owner] ?? '' })
    }
    const start = async (host: string) => {
      const targets = await startTargets({ host, faultOf, verify })
      closers.push(targets.close)
      return targets
    }
    const targets = await Promise.all(Array.from({ length: 4 }, () => start('127.0.0.1')))
    // Only Linux has more than one address for the machine itself by default.
    const inside = await start(INSIDE).catch(() => undefined)
    const told = (id: string) => targets.flatMap((one) => one.told.get(id) ?? [])

    for (let i = 0; i < SIZE.webhooks; i++) {
      const mood = moodOf(i)
      if (mood === 'inside' && inside === undefined) continue
      const target = mood === 'inside' ? inside : targets[i % targets.length]
      const one = await create(i, mood, target as Targets, indexers, keys)
      webhooks.set(one.name, one)
    }
    for (const one of workers) startSupervised(one, processes)

    const stop = new AbortController()
    const growing = (async () => {
      while (!stop.signal.aborted) {
        await sleep(50 + 150 * random())
        const i = below(nodes.length)
        const node = nodes[i] as BranchingNode
        if (random() < 0.05) node.fail(random() < 0.5 ? 0 : 0.3)
        const most = Math.min(CHAINS[i]?.depth ?? 0, node.blocks().length - 3)
        node.advance(random() < 0.25 ? below(most + 1) : 0, 1 + below(2))
      }
    })()
    setTimeout(() => stop.abort(), SIZE.seconds * 1_000).unref()
    await killAll(processes, { rounds: SIZE.rounds, mayPause: LONG !== undefined }, stop.signal)
    stop.abort()
    await growing
    areFaulty = false
    for (const node of nodes) {
      node.fail(0)
      // The new blocks settle all earlier ones.
      node.advance(0, 8)
    }
    const all = [...webhooks.values()]
    const outside = all.filter(({ mood }) => mood !== 'inside')
    const untilTold = async () => {
      const expected = expectedOf(nodes, all)
      const lacking = () =>
        outside.filter(({ id }) => !isEqual(WebhookModel.live(told(id)), expected.get(id) ?? []))
      const describeLacking = () =>
        lacking().map(
          ({ id, name, mood }) =>
            `${name} ${mood}: ${WebhookModel.live(told(id)).length} of ${expected.get(id)?.length}`,
        )
      await expect.poll(() => [faults, describeLacking().slice(0, 5)], { interval: 300 }).toEqual([[], []])
    }
    const begin = Date.now()
    await untilTold()
    // Transactions that were sent are removed as well.
    for (const [i, node] of nodes.entries()) node.advance(CHAINS[i]?.depth ?? 0, 2)
    await untilTold()
    report(targets, counts, nodes, Date.now() - begin)

    const messages = outside.flatMap(({ id, chain }) => told(id).map((one) => ({ ...one, chain })))
    expect(messages.filter(({ blockHash, chain }) => nodes[chain]?.served.has(blockHash) !== true)).toEqual(
      [],
    )
    expect(messages.some(({ removed }) => removed)).toBe(true)
    for (const { id, owner } of all.filter(({ mood }) => mood === 'inside').slice(0, 3)) {
      const first = async () =>
        (await deliveriesOf(replicas, keys[owner] ?? '', id, 'queued')).at(-1)?.failure
      await expect.poll(first).toBe('uri-scheme')
    }

    // Workers give up, and are killed meanwhile. Dead messages are sent again in order when asked for.
    const busy = outside.filter(({ id, isSettled }) => !isSettled && (told(id).length ?? 0) > 0)
    for (const { name } of busy.slice(0, 6)) failing.add(name)
    for (const one of workers) await one.end('SIGKILL')
    const hastyWorkers = workers.map(() => new Replica('hasty workers', hasty))
    closers.push(() => Promise.all(hastyWorkers.map((one) => one.end('SIGKILL'))))
    const late: Processes = { ...processes, replicas: hastyWorkers }
    for (const one of hastyWorkers) startSupervised(one, late)
    for (const node of nodes) node.advance(0, 6)
    await killAll(late, { rounds: 1, mayPause: false }, new AbortController().signal)
    const expected = expectedOf(nodes, all)
    for (const one of busy.slice(0, 6)) {
      const lacking = (expected.get(one.id)?.length ?? 0) - WebhookModel.live(told(one.id)).length
      const dead = async () => (await deliveriesOf(indexers, keys[one.owner] ?? '', one.id, 'dead')).length
      await expect.poll(dead).toBe(lacking)
    }
    failing.clear()
    for (const { id, owner } of busy.slice(0, 6))
      await call(indexers, keys[owner] ?? '', `/v1/webhooks/${id}:replay`, { deadOnly: true })
    await untilTold()
    await Promise.all(targets.map((one) => one.verified()))
    expect([...targets, ...(inside === undefined ? [] : [inside])].flatMap((one) => one.violations)).toEqual(
      [],
    )
    expect([...(inside?.told ?? [])]).toEqual([])
    expect(faults).toEqual([])
  })
})

/** Returns the messages of a webhook in a state, newest first. */
async function deliveriesOf(
  replicas: readonly Replica[],
  key: string,
  id: string,
  state: string,
): Promise<readonly { readonly failure?: string }[]> {
  const all: { readonly failure?: string }[] = []
  for (let token = ''; ; ) {
    const path = `/v1/webhooks/${id}/deliveries?pageSize=100&state=${state}${token}`
    const { deliveries, nextPageToken } = await call(replicas, key, path)
    all.push(...deliveries)
    if (nextPageToken === undefined) return all
    token = `&pageToken=${nextPageToken}`
  }
}

/** Creates a webhook for addresses that the chain uses, through the API. */
async function create(
  i: number,
  mood: Mood,
  target: Targets,
  indexers: readonly Replica[],
  keys: readonly string[],
): Promise<Webhook> {
  const chain = i % CHAINS.length
  const owner = below(OWNERS)
  const picked = Array.from({ length: 1 + below(3) }, () => pick(knownOf(chain)))
  const addresses = [...new Set(picked.map(([address]) => address))]
  const signatures = i % 4 === 0 ? [...(picked[0]?.[1] ?? [])].slice(0, 2) : []
  const isSettled = chain === 1 && i % 4 === 1
  const { id } = await call(indexers, keys[owner] ?? '', '/v1/webhooks', {
    eventType: 'address_activity',
    chainId: String(CHAINS[chain]?.id),
    url: target.url(String(i)),
    includeLogs: i % 2 === 0,
    includeInternalTxs: i % 3 === 0,
    finality: isSettled ? 'settled' : 'executed',
    metadata: { addresses, ...(signatures.length === 0 ? {} : { eventSignatures: signatures }) },
  })
  return { id, name: String(i), mood, owner, chain, isSettled, addresses, signatures }
}

const known = new Map<number, readonly (readonly [string, ReadonlySet<string>])[]>()

/** Returns the addresses that the first blocks of a chain use, so that webhooks match something. */
function knownOf(chain: number) {
  const found =
    known.get(chain) ??
    inventedChain(CHAINS[chain]?.options as InventedOptions)
      .grow(30)
      .flatMap((parts) => WebhookModel.activityIn(parts).flatMap((one) => [...one]))
  known.set(chain, found)
  return found
}

/** Returns the transactions that each webhook must receive. The first two blocks existed before the webhooks. */
function expectedOf(nodes: readonly BranchingNode[], all: readonly Webhook[]) {
  return new Map(
    nodes.flatMap((node, chain) => {
      const own = all.filter((one) => one.chain === chain)
      const blocks = node.blocks().slice(2)
      const settled = Number(node.blocks().at(-1)?.block['settledHeight'] ?? Number.POSITIVE_INFINITY)
      return [
        ...WebhookModel.expectedOf(
          blocks,
          own.filter(({ isSettled }) => !isSettled),
        ),
        ...WebhookModel.expectedOf(
          blocks.filter(({ block }) => Number(block.number) <= settled),
          own.filter(({ isSettled }) => isSettled),
        ),
      ]
    }),
  )
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, i) => text === other[i])
}

/** Prints what was thrown at the processes in a long run. */
function report(
  targets: readonly Targets[],
  counts: ReadonlyMap<string, number>,
  nodes: readonly BranchingNode[],
  ms: number,
): void {
  if (LONG === undefined) return
  const messages = targets.flatMap(({ told }) => [...told.values()].flat())
  const distinct = new Set(messages.map(({ id }) => id)).size
  const removals = messages.filter(({ removed }) => removed).length
  const served = nodes
    .map(({ served, blocks }) => `${blocks().length} blocks of ${served.size} served`)
    .join(', ')
  const answers = new Map<string, number>()
  for (const { counts } of targets)
    for (const [what, n] of counts) answers.set(what, (answers.get(what) ?? 0) + n)
  const list = (map: ReadonlyMap<string, number>) => [...map].map(([what, n]) => `${n} ${what}`).join(', ')
  console.log(`${SIZE.webhooks} webhooks; chains: ${served}; ${list(counts)}`)
  console.log(`requests at targets: ${list(answers)}`)
  console.log(
    `${messages.length} messages taken, ${messages.length - distinct} of them repetitions, ${removals} removals; all were sent ${(ms / 1_000).toFixed(1)} s after the last fault`,
  )
}
