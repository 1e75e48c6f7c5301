import { Json } from '@firn/codec'
import type { Logger } from '@firn/runtime'
import type { Webhooks } from '@firn/service-store'
import type { EvmChainSource, EvmContext } from '../../evm/chain/EvmContext.ts'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import type { Schema } from '../../http/endpoint/Schema.ts'
import type { Value } from '../common/canonical.ts'
import type { Change, Feed } from '../common/Feed.ts'
import { createFilters, type Filter, type Filters } from '../common/Filters.ts'
import type * as members from '../common/members.ts'
import type { WebhookContext } from '../common/WebhookContext.ts'
import type { BlockWatch } from '../primary/BlockWatch.ts'

/** What a request asks for: the source, the options, and the observed keys. */
export interface Asked<Settings = unknown> {
  readonly source: string
  /** The chain as the caller named it. */
  readonly chain: string
  readonly settings: Settings
  readonly keys: readonly Uint8Array[]
}

/** The webhooks of a source in memory. */
export interface Index<I> {
  create(): I
  /** Adds a webhook, or replaces it. */
  put(index: I, webhook: Webhooks.KeyedWebhook): void
  remove(index: I, id: string): void
}

/** Dependencies of {@link FollowChain.feed}. */
export interface FeedContext {
  readonly evm: EvmContext | undefined
  readonly logger: Logger
  readonly now: () => number
}

/** Events of a kind come from each served EVM chain. */
export interface FollowChain<I> {
  readonly over: 'evm'
  /** Returns the name of the source of a chain. */
  sourceOf(chainId: bigint): string
  /** Returns the changes of a chain; undefined if they cannot be read. */
  feed(chain: EvmChainSource, index: I, context: FeedContext): Feed<Change> | undefined
}

/** Events of a kind come from the blocks of the Primary Network. */
export interface FollowPrimary<I> {
  readonly over: 'primary'
  watch(index: I): BlockWatch
}

/** A kind of webhooks: everything that depends on it. */
export interface Kind<Settings = unknown, I = unknown> {
  /** Whether the official client knows the kind. */
  readonly isOfficial: boolean
  readonly response: Schema
  readonly request: Schema
  /**
   * Reads the members of a request that depend on the kind.
   * @throws DataApiError `DATA_PARAMETER`, `DATA_NOT_FOUND` if the chain is not served, `DATA_UNAVAILABLE`
   */
  read(body: members.Members, metadata: members.Members, context: WebhookContext): Promise<Asked<Settings>>
  /**
   * Returns the position of the newest event of a source, after which events are sent.
   * @throws DataApiError `DATA_NOT_FOUND` if this service does not serve the source, `DATA_UNAVAILABLE`
   */
  position(source: string, context: WebhookContext): Promise<bigint>
  /** Returns the members of an answer that depend on the kind. */
  body(
    settings: Settings,
    keys: readonly Uint8Array[],
    context: WebhookContext,
  ): { readonly [member: string]: Body | undefined }
  /** Returns the event of a message. `body` is its stored form. */
  event(body: string, settings: Settings, isRemoval: boolean): Value
  /** Stored form of the event of test messages. */
  readonly testEvent: string
  readonly index: Index<I>
  readonly follow: FollowChain<I> | FollowPrimary<I>
}

/** Returns the given kind. TypeScript infers the types of its settings and of its index. */
export function define<Settings, I>(kind: Kind<Settings, I>): Kind<Settings, I> {
  return kind
}

/** Returns an index of filters by their keys. */
export function filtersOf<F extends Filter>(
  toFilter: (webhook: Webhooks.KeyedWebhook) => F,
): Index<Filters<F>> {
  return {
    create: () => createFilters<F>(),
    put: (filters, webhook) => filters.put(toFilter(webhook)),
    remove: (filters, id) => filters.remove(id),
  }
}

/** Returns the event of a message that is its stored form. Weights and balances can exceed what a number holds exactly. */
export const parseEvent = (body: string): Value => Json.parse(body) as Value

/** The block of test messages about the Primary Network. */
export const TEST_BLOCK = { blockNumber: '0', blockTimestamp: 0 } as const
