import type { EvmSnapshot } from '@firn/evm-store'
import type { Endpoint } from '../../http/endpoint/Endpoint.ts'
import { type List, list, type PageRequest, type PartialRead } from '../../http/endpoint/List.ts'
import type * as Parameter from '../../http/endpoint/Parameter.ts'
import { anyChainOf, chainOf, type EvmChainSource, type EvmContext } from './EvmContext.ts'
import { evmSnapshots } from './evmSnapshots.ts'
import { ofChain, versionOf } from './inChain.ts'

type OfChain<Path extends Parameter.Specification> = ReturnType<typeof ofChain> & Path

/** A request for a page of a list over one chain, together with this chain. */
type Request<Path extends Parameter.Specification, Query extends Parameter.Specification> = PageRequest<
  OfChain<Path>,
  Query,
  EvmSnapshot
> & { readonly source: EvmChainSource }

/** A list over one EVM chain. */
interface ChainList<Path extends Parameter.Specification, Query extends Parameter.Specification, T>
  extends Pick<
      List<Path, Query, EvmSnapshot, T>,
      'operationId' | 'summary' | 'responseName' | 'response' | 'keyOf'
    >,
    Partial<Pick<List<Path, Query, EvmSnapshot, T>, 'units' | 'pageSize' | 'rows' | 'rowsPerElement'>> {
  /** The part of the path after `/v1/chains/{chainId}`. */
  readonly path: `/${string}`
  /**
   * Whether answers change only with new blocks of the chain. Answers with token metadata or native balances
   * also change between blocks.
   */
  readonly isPerBlock: boolean
  /** Whether the list also exists for chains of which only events are stored; false by default. */
  readonly isOfEvents?: boolean
  /** Path parameters besides `chainId`. */
  readonly pathParameters?: Path
  readonly queryParameters?: Query
  readonly read: (request: Request<Path, Query>) => Promise<readonly T[] | PartialRead<T>>
  readonly body: (
    page: readonly T[],
    request: Request<Path, Query>,
  ) => ReturnType<List<Path, Query, EvmSnapshot, T>['body']>
}

type NoParameters = Readonly<Record<never, never>>

/**
 * Returns the endpoint of a list over one EVM chain. By default, a page has 10 elements, and at most 100 can be
 * requested.
 */
export function chainList<
  T,
  const Path extends Parameter.Specification = NoParameters,
  const Query extends Parameter.Specification = NoParameters,
>(
  context: EvmContext,
  {
    path,
    pathParameters,
    queryParameters,
    isPerBlock,
    isOfEvents,
    read,
    body,
    ...rest
  }: ChainList<Path, Query, T>,
): Endpoint {
  // Every path contains the EVM chain id, but the generic type does not express it.
  const sourceOf = (given: object) =>
    (isOfEvents === true ? anyChainOf : chainOf)(context, (given as { readonly chainId: bigint }).chainId)
  const complete = (request: PageRequest<OfChain<Path>, Query, EvmSnapshot>): Request<Path, Query> => ({
    ...request,
    source: sourceOf(request.path),
  })
  return list<OfChain<Path>, Query, EvmSnapshot, T>({
    tag: 'EVM',
    scope: 'data',
    units: 20,
    tokens: context.tokens,
    pageSize: { fallback: 10, maximum: 100 },
    ...rest,
    snapshots: (given) => evmSnapshots(sourceOf(given).store),
    version: isPerBlock ? ({ path }) => versionOf(sourceOf(path), context.now()) : undefined,
    path: `/v1/chains/{chainId}${path}`,
    pathParameters: { ...ofChain(context), ...pathParameters } as OfChain<Path>,
    queryParameters: queryParameters ?? ({} as Query),
    read: (request) => read(complete(request)),
    body: (page, request) => body(page, complete(request)),
  })
}
