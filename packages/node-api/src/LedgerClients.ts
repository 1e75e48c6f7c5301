import {
  type Client,
  type MethodTable,
  type Params,
  PlatformMethods,
  ProposerVmMethods,
  type Result,
} from '@firn/rpc'
import { type Logger, silentLogger } from '@firn/runtime'
import * as Chains from './Chains.ts'
import type { NodeContext } from './Context.ts'
import * as Peers from './peers/Peers.ts'
import * as PlatformApi from './platform/PlatformApi.ts'
import * as ProposerVmApi from './proposervm/ProposerVmApi.ts'
import { createRoutes } from './Routes.ts'
import type { Handlers } from './Service.ts'

/** Clients of a ledger's P-chain. They have the methods of a node, but no network and no JSON are involved. */
export interface LedgerClients {
  readonly platform: Client<typeof PlatformMethods>
  /** The proposervm's API on the P-chain. */
  readonly proposerVm: Client<typeof ProposerVmMethods>
}

/** Options of {@link createLedgerClients}. */
export interface LedgerClientsOptions extends Pick<NodeContext, 'store' | 'genesis' | 'constants'> {
  /** Returns the time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
  /** Returns a uniform random number in [0, 1); `Math.random` by default. */
  /** Whether the store follows the C-chain, as `Store.network` returns; true by default. */
  readonly followsCChain?: boolean
  readonly random?: () => number
  readonly log?: Logger
}

/**
 * Returns clients that read the ledger in a store. They return what a node with this ledger would, and throw its errors
 * (RpcError `RPC_REMOTE`), or the errors of the store (StoreError).
 * @example
 * ```ts
 * import type { Genesis, Networks } from '@firn/genesis'
 * import { createLedgerClients } from '@firn/node-api'
 * import type { Store } from '@firn/store'
 *
 * declare const store: Store
 * declare const rules: { genesis: Genesis.Genesis; constants: Networks.Constants }
 * const { platform } = createLedgerClients({ store, ...rules })
 * const { height } = await platform.call('platform.getProposedHeight')
 * ```
 * @throws CodecError `CODEC_ID` if a chain id in `genesis` is not 32 bytes long; RpcError `RPC_REMOTE` if two chains have
 * the same id
 */
export function createLedgerClients(options: LedgerClientsOptions): LedgerClients {
  const { store, genesis, constants, followsCChain = true } = options
  const { now = Date.now, random = Math.random, log = silentLogger } = options
  const context: NodeContext = {
    store,
    genesis,
    constants,
    followsCChain,
    chains: Chains.createNames(genesis, new Map()),
    routes: createRoutes(),
    snapshot: () => store.snapshot(),
    now,
    random,
    upstream: undefined,
    validators: async () => Peers.UNKNOWN,
    isValidating: async () => false,
    isBootstrapped: () => true,
    log,
    loggers: { names: () => [], levels: () => undefined, setLevels: () => undefined },
  }
  return {
    platform: createClient(PlatformMethods, PlatformApi.handlers(context)),
    proposerVm: createClient(ProposerVmMethods, ProposerVmApi.handlers(context, 'P')),
  }
}

function createClient<const T extends MethodTable>(_table: T, handlers: Handlers<T>): Client<T> {
  return {
    async call(method, ...[params, options]) {
      options?.signal?.throwIfAborted()
      const handle = handlers[method] as (
        given: Params<T, typeof method>,
      ) => Promise<Result<T, typeof method>>
      return handle((params ?? {}) as Params<T, typeof method>)
    },
  }
}
