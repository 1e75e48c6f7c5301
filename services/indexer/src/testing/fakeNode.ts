import { CHAIN_ALIASES, type ChainAlias, CheckedHex, Hex, Id } from '@firn/codec'
import * as Archive from '../primary/archive/Archive.ts'
import { createArchiveSource } from '../primary/archive/ArchiveSource.ts'
import * as DecodedBlock from '../primary/DecodedBlock.ts'
import type { SourceBlock } from '../primary/Source.ts'

/** HTTP answer of a node. For tests only. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** A fake node that answers the indexer's requests in memory, without a socket. For tests only. */
export interface FakeNode {
  /**
   * Returns the answer to a request. With `behind`, the node has not accepted its last `behind` blocks yet.
   */
  answer(path: string, body: string, behind?: number): Answer
  /** Returns the number of requests for a method. */
  calls(method: string): number
  /**
   * For each chain, the first height that the node has not accepted yet. By default, all blocks are accepted.
   */
  limit: Partial<Record<ChainAlias, number>>
}

/** Options of {@link createFakeNode}. */
export interface FakeNodeOptions {
  /** Chains whose containers are indexed; by default all. */
  readonly indexed?: readonly ChainAlias[]
  /** Heights that are missing from the index. */
  readonly missed?: (chain: ChainAlias, height: number) => boolean
  /** Whether the node serves `debug_getRawBlock`, which nodes no longer serve after the Helicon upgrade. */
  readonly rawBlocks?: boolean
  /** Maximum number of containers in one answer. */
  readonly most?: number
  /** The X-chain's vertices in the node's order; without them, the node has no index of vertices. */
  readonly vertices?: readonly IndexedVertex[]
  /** Changes the containers of an answer with vertices. */
  readonly lie?: (containers: readonly Container[]) => readonly Container[]
}

/** A vertex in the index of a fake node. For tests only. */
export interface IndexedVertex {
  readonly bytes: Uint8Array
  /** RFC 3339 time. */
  readonly at: string
}

/** A container in the JSON of the Index API. For tests only. */
export interface Container {
  readonly id: string
  readonly bytes: string
  readonly timestamp: string
  readonly encoding: string
  readonly index: string
}

type Entry = { readonly given: SourceBlock; readonly opened: DecodedBlock.DecodedBlock }
type Params = Readonly<Record<string, string>> & readonly string[]
type Result = { readonly result: unknown } | { readonly error: string; readonly code?: number }

/** Creates a fake node that has accepted an archive's blocks. For tests only. */
export async function createFakeNode(folder: string, options: FakeNodeOptions = {}): Promise<FakeNode> {
  const { indexed = CHAIN_ALIASES, missed = () => false, rawBlocks = true, most = 1024 } = options
  const source = createArchiveSource(folder)
  const chains = new Map<ChainAlias, readonly Entry[]>()
  for (const chain of CHAIN_ALIASES) {
    const given = await source.blocks(chain, 1n, 100_000)
    chains.set(
      chain,
      given.map((it) => ({ given: it, opened: DecodedBlock.decode(chain, it) })),
    )
  }
  await source.close()
  const calls = new Map<string, number>()
  const accepted = (chain: ChainAlias, behind: number): readonly Entry[] => {
    const all = (chains.get(chain) ?? []).slice(0, node.limit[chain])
    return all.slice(0, Math.max(all.length - behind, 0))
  }
  const index = (chain: ChainAlias, behind: number) =>
    accepted(chain, behind).filter(({ opened }) => !missed(chain, Number(opened.height)))
  const node: FakeNode = {
    limit: {},
    calls: (method) => calls.get(method) ?? 0,
    answer(path, body, behind = 0) {
      const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: Params }
      calls.set(method, (calls.get(method) ?? 0) + 1)
      const indexOf = /^\/ext\/index\/([PXC])\/block$/.exec(path)?.[1] as ChainAlias | undefined
      if (indexOf !== undefined) {
        if (!indexed.includes(indexOf)) return { status: 404, body: '404 page not found\n' }
        return envelope(id, indexAnswer(method, params, index(indexOf, behind), most))
      }
      if (path === '/ext/index/X/vtx' && options.vertices !== undefined)
        return envelope(id, vertexAnswer(method, params, options.vertices, options.lie))
      if (path === '/ext/bc/P') return envelope(id, heightAnswer(method, params, accepted('P', behind)))
      if (path === '/ext/bc/X') return envelope(id, heightAnswer(method, params, accepted('X', behind)))
      if (path === '/ext/bc/C/rpc')
        return envelope(id, evmAnswer(method, params, accepted('C', behind), rawBlocks))
      return { status: 404, body: '404 page not found\n' }
    },
  }
  return node
}

function envelope(id: number, result: Result): Answer {
  const error = 'error' in result && { code: result.code ?? -32000, message: result.error, data: null }
  const body = 'error' in result ? { jsonrpc: '2.0', error, id } : { jsonrpc: '2.0', ...result, id }
  return { status: 200, body: `${JSON.stringify(body)}\n` }
}

function containerOf({ given, opened }: Entry, index: number) {
  const { container } = opened
  return {
    id: Id.format(container?.id ?? opened.id),
    bytes: CheckedHex.encode(given.bytes),
    timestamp: Archive.formatTime(given.acceptedAt ?? 0n),
    encoding: 'hex',
    index: `${index}`,
  }
}

function indexAnswer(method: string, params: Params, entries: readonly Entry[], most: number): Result {
  const last = entries.at(-1)
  if (last === undefined) return { error: 'no containers have been accepted' }
  if (method === 'index.getLastAccepted') return { result: containerOf(last, entries.length - 1) }
  const [start, count] = [Number(params['startIndex']), Number(params['numToFetch'])]
  if (start >= entries.length)
    return { error: `start index (${start}) > last accepted index (${entries.length - 1})` }
  const found = entries.slice(start, start + Math.min(count, most))
  return { result: { containers: found.map((entry, i) => containerOf(entry, start + i)) } }
}

function vertexAnswer(
  method: string,
  params: Params,
  vertices: readonly IndexedVertex[],
  lie: FakeNodeOptions['lie'] = (containers) => containers,
): Result {
  if (method === 'index.getIndex') {
    const index = vertices.findIndex(({ bytes }) => Id.format(Id.hash(bytes)) === params['id'])
    return index < 0 ? { error: 'not found' } : { result: { index: `${index}` } }
  }
  const [start, count] = [Number(params['startIndex']), Number(params['numToFetch'])]
  const containers = vertices.slice(start, start + Math.min(count, 1024)).map(({ bytes, at }, i) => ({
    id: Id.format(Id.hash(bytes)),
    bytes: CheckedHex.encode(bytes),
    timestamp: at,
    encoding: 'hex',
    index: `${start + i}`,
  }))
  return { result: { containers: lie(containers) } }
}

function heightAnswer(method: string, params: Params, entries: readonly Entry[]): Result {
  if (method.endsWith('.getHeight')) return { result: { height: `${entries.length}` } }
  const entry = entries[Number(params['height']) - 1]
  if (entry === undefined) return { error: 'not found' }
  return { result: { block: CheckedHex.encode(entry.opened.bytes), encoding: 'hex' } }
}

function evmAnswer(method: string, params: Params, entries: readonly Entry[], rawBlocks: boolean): Result {
  if (method === 'eth_blockNumber') return { result: `0x${entries.length.toString(16)}` }
  if (!rawBlocks) return { code: -32601, error: `the method ${method} does not exist/is not available` }
  const entry = entries[Number(params[0]) - 1]
  return entry === undefined ? { error: 'not found' } : { result: Hex.encode(entry.opened.bytes) }
}
