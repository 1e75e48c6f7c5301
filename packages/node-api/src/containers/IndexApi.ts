import type { ChainAlias } from '@firn/codec'
import { IndexMethods } from '@firn/rpc'
import { Blocks, type Snapshot } from '@firn/store'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import * as CChain from '../internal/CChain.ts'
import { type Handlers, methodError } from '../Service.ts'
import * as DagApi from './DagApi.ts'
import { assertNotEmpty, assertNumber, item } from './IndexAnswers.ts'
import * as IndexPositions from './IndexPositions.ts'
import type { Span } from './IndexState.ts'

/** An index of a chain and its path. */
export interface IndexEndpoint {
  /** Path under `/ext/`. */
  readonly base: string
  readonly endpoint: string
  readonly chain: ChainAlias
  readonly kind: 'block' | 'tx' | 'vtx'
}

/**
 * All indices of a node. Each index is served only at the path given here, not under the id or other aliases of its
 * chain.
 */
export const ENDPOINTS: readonly IndexEndpoint[] = [
  { base: 'index/P', endpoint: '/block', chain: 'P', kind: 'block' },
  { base: 'index/X', endpoint: '/block', chain: 'X', kind: 'block' },
  { base: 'index/X', endpoint: '/tx', chain: 'X', kind: 'tx' },
  { base: 'index/X', endpoint: '/vtx', chain: 'X', kind: 'vtx' },
  { base: 'index/C', endpoint: '/block', chain: 'C', kind: 'block' },
]

/** How long results may be cached. Indexed containers never change. */
export const FRESHNESS: FreshnessTable<typeof IndexMethods> = {
  'index.getContainerByID': 'forever',
  'index.getContainerByIndex': 'forever',
  'index.getContainerRange': 'snapshot',
  'index.getIndex': 'forever',
  'index.getLastAccepted': 'snapshot',
  'index.isAccepted': 'snapshot',
}

type Api = Handlers<typeof IndexMethods>

/** Returns the handlers of one index. `spans` returns the indexed ranges of heights. */
export function handlers(
  context: NodeContext,
  { chain, kind }: Pick<IndexEndpoint, 'chain' | 'kind'>,
  spans: (chain: ChainAlias) => readonly Span[],
): Api {
  if (kind !== 'block') return DagApi.handlers(context, kind)
  if (chain === 'C' && !context.followsCChain)
    return CChain.rejecting(IndexMethods, "the C-chain's containers are")
  return { ...single(context, chain, () => spans(chain)), ...several(context, chain, () => spans(chain)) }
}

function single(
  { store, snapshot }: NodeContext,
  chain: ChainAlias,
  spans: () => readonly Span[],
): Pick<Api, 'index.getContainerByID' | 'index.getContainerByIndex' | 'index.getIndex' | 'index.isAccepted'> {
  const placeOf = async (
    at: Snapshot,
    id: Uint8Array,
  ): Promise<{ height: bigint; index: bigint } | undefined> => {
    const height = await Blocks.heightOfContainer(store, at, chain, id)
    if (height === undefined) return undefined
    const index = IndexPositions.indexOf(spans(), at[chain].height, height)
    return index === undefined ? undefined : { height, index }
  }
  return {
    'index.getContainerByID': async ({ id, encoding = 'hex' }) => {
      const at = await snapshot()
      const place = await placeOf(at, id)
      const found = place && (await Blocks.containers(store, at, chain, place.height, place.height))[0]
      if (place === undefined || found === undefined) throw methodError('not found')
      return item(found, place.index, encoding)
    },
    'index.getContainerByIndex': async ({ index, encoding = 'hex' }) => {
      const at = await snapshot()
      const [run] = IndexPositions.heightsFrom(spans(), at[chain].height, index, 1n)
      const found = run && (await Blocks.containers(store, at, chain, run.first, run.last))[0]
      if (found === undefined) throw methodError(`no container at index ${index}`)
      return item(found, index, encoding)
    },
    'index.getIndex': async ({ id }) => {
      const place = await placeOf(await snapshot(), id)
      if (place === undefined) throw methodError('not found')
      return { index: place.index }
    },
    'index.isAccepted': async ({ id }) => ({
      isAccepted: (await placeOf(await snapshot(), id)) !== undefined,
    }),
  }
}

function several(
  { store, snapshot }: NodeContext,
  chain: ChainAlias,
  spans: () => readonly Span[],
): Pick<Api, 'index.getContainerRange' | 'index.getLastAccepted'> {
  return {
    'index.getContainerRange': async ({ startIndex, numToFetch, encoding = 'hex' }) => {
      assertNumber(numToFetch)
      const at = await snapshot()
      const size = assertNotEmpty(IndexPositions.count(spans(), at[chain].height))
      if (startIndex >= size)
        throw methodError(`start index (${startIndex}) > last accepted index (${size - 1n})`)
      const runs = IndexPositions.heightsFrom(spans(), at[chain].height, startIndex, numToFetch)
      const found = await Promise.all(
        runs.map(({ first, last }) => Blocks.containers(store, at, chain, first, last)),
      )
      return { containers: found.flat().map((each, i) => item(each, startIndex + BigInt(i), encoding)) }
    },
    'index.getLastAccepted': async ({ encoding = 'hex' }) => {
      const at = await snapshot()
      const index = assertNotEmpty(IndexPositions.count(spans(), at[chain].height)) - 1n
      const [run] = IndexPositions.heightsFrom(spans(), at[chain].height, index, 1n)
      const found = run && (await Blocks.containers(store, at, chain, run.first, run.last))[0]
      if (found === undefined) throw methodError('no containers have been accepted')
      return item(found, index, encoding)
    },
  }
}
