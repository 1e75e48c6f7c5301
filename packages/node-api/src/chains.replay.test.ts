import { createHash } from 'node:crypto'
import { Address, type ChainAlias, Id, Json, ShortId } from '@firn/codec'
import { ProposerVmMethods } from '@firn/rpc'
import { database } from '@firn/sql/testing'
import { UtxoId } from '@firn/txs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { NodeContext } from './Context.ts'
import * as IndexState from './containers/IndexState.ts'
import * as ProposerVmApi from './proposervm/ProposerVmApi.ts'
import { createService } from './Service.ts'
import {
  answerOf,
  type ChainExchange,
  type ContextOptions,
  chainExchanges,
  recordedContext,
  recordedUpstream,
  serviceAt,
} from './testing/chainReplay.ts'
import { platformContext, platformExchanges, platformService } from './testing/platformReplay.ts'
import * as Paging from './utxos/Paging.ts'

interface Envelope {
  readonly result?: Readonly<Record<string, Json.Json>>
  readonly error?: { readonly message: string }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns the responses to the recorded requests, in order. Creates each service once. */
async function replay(
  exchanges: readonly ChainExchange[],
  name: 'local' | 'helicon',
  options: ContextOptions = {},
): Promise<{ context: NodeContext; answers: (string | undefined)[] }> {
  const context = await recordedContext(name, { upstream: recordedUpstream(exchanges), ...options })
  const answers: (string | undefined)[] = []
  for (const { path, request } of exchanges) answers.push(await answerOf(serviceAt(context, path), request))
  return { context, answers }
}

/** Returns whether a response equals the recorded response byte for byte. */
function isEqual({ response, sha256 }: ChainExchange, answer: string | undefined): boolean {
  return sha256 === undefined ? answer === response : answer !== undefined && hash(answer) === sha256
}

describe('recorded exchanges, byte for byte', () => {
  test.each([
    ['avm_more', 11],
    ['avax', 37],
    ['index', 334],
  ])('replays the recorded exchanges of %s', async (file, count) => {
    const exchanges = chainExchanges(file)
    const { answers } = await replay(exchanges, 'local')
    expect(exchanges.length).toBe(count)
    for (const [i, exchange] of exchanges.entries())
      if (!isEqual(exchange, answers[i])) expect(answers[i], exchange.request).toBe(exchange.response)
  })

  test('replays avax_utxos with the chain aliases from the time of the recording', async () => {
    const exchanges = chainExchanges('avax_utxos')
    const { answers } = await replay(exchanges, 'local', { laterNames: true })
    for (const [i, { request, response }] of exchanges.entries()) expect(answers[i], request).toBe(response)
  })

  test.each([
    ['helicon/avax-before', { P: 11n, X: 2n, C: 71n }],
    ['helicon/index-before', { P: 11n, X: 2n, C: 71n }],
    ['helicon/avax-after', { P: 43n, X: 5n, C: 169n }],
    ['helicon/index-after', { P: 43n, X: 5n, C: 169n }],
  ])('replays %s at the block heights from the time of the recording', async (file, heights) => {
    const exchanges = chainExchanges(file)
    const { answers } = await replay(exchanges, 'helicon', { heights })
    expect(exchanges.length).toBeGreaterThan(5)
    for (const [i, { request, response }] of exchanges.entries()) expect(answers[i], request).toBe(response)
  })
})

/** Creation heights of UTXOs by id. The node does not define the order of UTXOs created in the same block. */
type Heights = ReadonlyMap<string, bigint>

async function heightsOf({ store }: NodeContext): Promise<Heights> {
  const rows = await database(store).selectFrom('utxo').select(['id', 'height']).execute()
  return new Map(rows.map(({ id, height }) => [Id.format(id), height]))
}

/**
 * Returns the ids of the UTXOs in a result. The result contains encoded UTXOs, or transaction ids and output
 * indices.
 */
function idsOf({ utxos, utxoIDs: utxoIds }: Readonly<Record<string, Json.Json>>): string[] {
  const ofBytes = (text: string) => {
    const bytes = Buffer.from(text.slice(2), 'hex')
    return { txID: bytes.subarray(2, 34), outputIndex: bytes.readUInt32BE(34) }
  }
  const named = (utxoIds ?? []) as unknown as readonly { txID: string; outputIndex: number }[]
  const ids = [
    ...((utxos ?? []) as string[]).map(ofBytes),
    ...named.map(({ txID: txId, outputIndex }) => ({ txID: Id.parse(txId), outputIndex })),
  ]
  return ids.map((id) => Id.format(UtxoId.inputId(id)))
}

/** Returns a result in which adjacent UTXOs that were created in the same block are sorted. */
function normalized(text: string | undefined, heights: Heights): unknown {
  const { result, error } = Json.parse(text ?? '{}') as Envelope
  if (result === undefined) return error
  const ids = idsOf(result)
  const order = ids.map((id, i) => ({ id, i, run: runOf(ids, i, heights) }))
  const sorted = order.toSorted((a, b) => a.run - b.run || (a.id < b.id ? -1 : 1))
  const listed = (result['utxos'] ?? result['utxoIDs'] ?? []) as readonly Json.Json[]
  const balances = (result['balances'] ?? []) as unknown
  const unordered = Array.isArray(balances)
    ? { balances: balances.map((balance) => Json.stringify(balance)).sort() }
    : {}
  const { utxo: _utxo, ...endIndex } = (result['endIndex'] ?? {}) as Readonly<Record<string, Json.Json>>
  return {
    ...result,
    utxos: null,
    utxoIDs: null,
    ...unordered,
    endIndex,
    sorted: sorted.map(({ i }) => listed[i]),
  }
}

/** Returns the number of times that the creation height changes before the UTXO at index `i`. */
function runOf(ids: readonly string[], i: number, heights: Heights): number {
  let run = 0
  for (let k = 1; k <= i; k++)
    if (heights.get(ids[k] as string) !== heights.get(ids[k - 1] as string)) run += 1
  return run
}

/** Parameters of `getUTXOs` that these tests read. */
interface RequestParameters {
  readonly addresses: readonly string[]
  readonly limit?: number | string
  readonly startIndex?: { readonly address: string; readonly utxo: string }
}

function parametersOf({ request }: ChainExchange): RequestParameters {
  return (Json.parse(request) as unknown as { readonly params: RequestParameters }).params
}

/**
 * Returns whether a page may end between two UTXOs of the same block, because its limit is low. The contents of such
 * a page depend on the undefined order of these UTXOs.
 */
function endsWithinBlock(exchange: ChainExchange): boolean {
  const limit = Number(parametersOf(exchange).limit ?? 0)
  return limit > 0 && limit < 60
}

/**
 * Returns whether a page may start between two UTXOs of the same block. The contents of such a page depend on the
 * undefined order of these UTXOs.
 */
function beginsWithinBlock(exchange: ChainExchange, heights: Heights): boolean {
  const { startIndex } = parametersOf(exchange)
  const height = heights.get(startIndex?.utxo ?? '')
  return height !== undefined && [...heights.values()].filter((other) => other === height).length > 2
}

describe('recorded exchanges, except for the order within a block', () => {
  let heights: Heights
  beforeAll(async () => {
    heights = await heightsOf(await recordedContext('local'))
  })

  test.each([
    ['avm', false, 206, 5, 2],
    ['platform', false, 12, 0, 0],
    ['platform_utxos', true, 27, 5, 2],
  ])('replays the recorded exchanges of %s', async (file, laterNames, equal, ends, begins) => {
    const exchanges = chainExchanges(file)
    const { answers } = await replay(exchanges, 'local', { laterNames })
    const count = { equal: 0, ends: 0, begins: 0 }
    for (const [i, exchange] of exchanges.entries()) {
      const { response, request } = exchange
      if (isEqual(exchange, answers[i])) count.equal += 1
      else if (beginsWithinBlock(exchange, heights)) count.begins += 1
      else if (endsWithinBlock(exchange)) {
        count.ends += 1
        expectAlike(answers[i], response, heights, request)
      } else expect(normalized(answers[i], heights), request).toEqual(normalized(response, heights))
    }
    expect(count).toEqual({ equal, ends, begins })
  })

  test.each([
    ['avm', 'X', 22],
    ['platform_utxos', 'P', 21],
  ] as const)(
    "replays the recorded UTXO pages of %s, given the recorded node's order of UTXOs within a block",
    async (file, chain, count) => {
      const pages = chainExchanges(file).filter((exchange) => isNativePage(exchange))
      const lists = recordedLists(pages)
      expect(pages.length).toBe(count)
      for (const page of pages) {
        const { addresses, limit = 0, startIndex } = parametersOf(page)
        const size = Number(limit ?? 0)
        const { utxos, end } = await Paging.native(lists, {
          addresses: addresses.map(payloadOf),
          start: startIndex?.utxo
            ? { address: payloadOf(startIndex.address), utxoId: Id.parse(startIndex.utxo) }
            : undefined,
          limit: size === 0 || size > 1024 ? 1024 : size,
        })
        const { result = {} } = Json.parse(page.response ?? '') as Envelope
        const endIndex = {
          address: Address.format({ chain, hrp: 'local', payload: end.address }),
          utxo: Id.format(end.utxoId),
        }
        expect(
          utxos.map(({ id }) => Id.format(id)),
          page.request,
        ).toEqual(idsOf(result))
        expect(endIndex, page.request).toEqual(result['endIndex'])
      }
    },
  )
})

const payloadOf = (text: string) => (text.includes('-') ? Address.parse(text).payload : ShortId.parse(text))

/** Returns whether an exchange requests a page of UTXOs that were created on the same chain. */
function isNativePage(exchange: ChainExchange): boolean {
  const { method, params } = Json.parse(exchange.request) as unknown as {
    method: string
    params: { sourceChain?: string }
  }
  return (
    method.endsWith('.getUTXOs') && !params?.sourceChain && exchange.response?.includes('"endIndex"') === true
  )
}

/**
 * Returns the UTXO lists of the recorded node, taken from the responses that contain all UTXOs of one
 * address.
 */
function recordedLists(pages: readonly ChainExchange[]): Paging.Lists<Paging.Entry> {
  const byAddress = new Map<string, Paging.Entry[]>()
  for (const page of pages) {
    const { addresses, startIndex } = parametersOf(page)
    if (addresses.length > 1 || endsWithinBlock(page) || startIndex?.utxo) continue
    const address = payloadOf(addresses[0] ?? '')
    const { result = {} } = Json.parse(page.response ?? '') as Envelope
    const entries = idsOf(result).map((id, i) => ({ address, id: Id.parse(id), height: 0n, ordinal: -i }))
    byAddress.set(ShortId.format(address), entries)
  }
  const listOf = (address: Uint8Array) => byAddress.get(ShortId.format(address)) ?? []
  return {
    list: async (addresses, after, limit) =>
      addresses
        .flatMap((address, i) =>
          listOf(address).filter(({ ordinal }) => i > 0 || after === undefined || ordinal < after.ordinal),
        )
        .slice(0, limit),
    ageOf: async (address, utxoId) => listOf(address).find(({ id }) => Id.format(id) === Id.format(utxoId)),
  }
}

/**
 * Compares a page that ends between two UTXOs of the same block with the recorded page. Only the number of
 * UTXOs and their creation heights must be equal.
 */
function expectAlike(
  answer: string | undefined,
  response: string | undefined,
  heights: Heights,
  request: string,
): void {
  const shape = (text: string | undefined) => {
    const { result = {} } = Json.parse(text ?? '{}') as Envelope
    const { numFetched, endIndex, encoding } = result
    const { address } = endIndex as unknown as { readonly address: string }
    return { numFetched, address, encoding, heights: idsOf(result).map((id) => heights.get(id)) }
  }
  expect(shape(answer), request).toEqual(shape(response))
}

test('shifts later containers to lower indices if the index missed a block', async () => {
  // The node was down when C-chain block 76 was accepted, and had its index disabled when it fetched the
  // block.
  const runs: readonly [IndexState.IndexSettings, bigint][] = [
    [{ enabled: true, allowIncomplete: false }, 75n],
    [{ enabled: false, allowIncomplete: true }, 76n],
    [{ enabled: true, allowIncomplete: true }, 82n],
  ]
  let state = IndexState.INITIAL
  for (const [settings, height] of runs) {
    const started = IndexState.start(state, settings)
    expect(started.refusal).toBeUndefined()
    state = IndexState.accept(started.state, 'C', height)
    state = IndexState.accept(IndexState.accept(state, 'P', 85n), 'X', 35n)
  }
  const exchanges = chainExchanges('index_incomplete')
  const context = await recordedContext('local', { heights: { C: 82n } })
  const masked = (text = '') => text.replace(/"timestamp":"[^"]*"/g, '"timestamp":""')
  let shifted = 0
  for (const { port, path, request, response, sha256 } of exchanges) {
    const spans = port === 9658 ? (chain: ChainAlias) => state.chains[chain].spans : undefined
    const answer = await answerOf(serviceAt(context, path, spans), request)
    if (sha256 === undefined) expect(masked(answer), request).toBe(masked(response))
    else expect(hash(masked(answer)), request).toBe(sha256)
    if (answer !== (await answerOf(serviceAt(context, path), request))) shifted += 1
  }
  expect(shifted).toBe(3)
})

const REASON = 'C_CHAIN_NOT_FOLLOWED'
const C_CHAIN = ['C', 'evm', '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC']

interface Request {
  readonly method: string
  readonly params?: { readonly sourceChain?: string }
}

/** Returns whether an answer depends on the C-chain: on its blocks, transactions or exports. */
function dependsOnC({ path, request }: ChainExchange): boolean {
  const { method, params } = Json.parse(request) as unknown as Request
  if (method.endsWith('.issueTx')) return false
  return path.includes('/C') || C_CHAIN.includes(params?.sourceChain ?? '')
}

const reasonOf = (answer: string | undefined) =>
  (Json.parse(answer ?? '{}') as { error?: { data?: { reason?: string } | null } }).error?.data?.reason

describe('a store without the C-chain', () => {
  test('answers everything that does not depend on it, and says so for the rest', async () => {
    const exchanges = chainExchanges(
      'avm',
      'avm_more',
      'platform',
      'platform_utxos',
      'index',
      'avax',
      'avax_utxos',
    )
    const upstream = recordedUpstream(exchanges)
    const [full, without] = await Promise.all(
      [true, false].map((followsCChain) => recordedContext('local', { upstream, followsCChain })),
    )
    const counts = { equal: 0, rejected: 0, failed: 0 }
    for (const exchange of exchanges) {
      const { path, request } = exchange
      const [expected, answer] = await Promise.all(
        [full, without].map((context) => context && answerOf(serviceAt(context, path), request)),
      )
      if (!dependsOnC(exchange)) {
        expect(answer, request).toBe(expected)
        counts.equal += 1
      } else if (reasonOf(answer) === REASON) counts.rejected += 1
      else {
        // Requests with invalid parameters fail before the C-chain matters.
        expect(answer, request).toBe(expected)
        expect(Json.parse(answer ?? '{}'), request).toHaveProperty('error')
        counts.failed += 1
      }
    }
    expect(counts).toMatchInlineSnapshot(`
      {
        "equal": 561,
        "failed": 61,
        "rejected": 96,
      }
    `)
  })

  test('answers everything about the P-chain', async () => {
    const exchanges = platformExchanges('platform', 'platform_more')
    const upstream = recordedUpstream(exchanges)
    const services = await Promise.all(
      [true, false].map(async (followsCChain) =>
        platformService(await platformContext('local', { upstream, followsCChain })),
      ),
    )
    for (const { request } of exchanges) {
      const [expected, answer] = await Promise.all(services.map((service) => answerOf(service, request)))
      expect(answer, request).toBe(expected)
    }
  })

  test('has no proposed height for it', async () => {
    const context = await recordedContext('local', { followsCChain: false })
    const ask = async (chain: 'P' | 'C') =>
      reasonOf(
        await answerOf(
          createService(ProposerVmMethods, ProposerVmApi.handlers(context, chain)),
          '{"jsonrpc":"2.0","id":1,"method":"proposervm.getProposedHeight"}',
        ),
      )
    expect([await ask('P'), await ask('C')]).toEqual([undefined, REASON])
  })
})
