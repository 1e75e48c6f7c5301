import { Id, Json } from '@firn/codec'
import { Writer } from '@firn/store'
import { commitInvented, type InventedBlock, openStore, Recordings } from '@firn/store/testing'
import { createAliases } from '../Aliases.ts'
import type { NodeContext } from '../Context.ts'
import { answerOf } from './chainReplay.ts'
import { platformService, SIGHT } from './platformReplay.ts'

/** A P-chain with generated blocks, and its API. */
export interface InventedPlatform {
  readonly context: NodeContext
  /** Appends blocks to the P-chain. */
  readonly add: (...blocks: readonly InventedBlock[]) => Promise<void>
  /** Calls a method and returns its result or its error text. */
  readonly ask: (method: string, params?: object) => Promise<unknown>
  readonly close: () => Promise<void>
}

/** Creates a P-chain from the local network's genesis and the given blocks, with its API. */
export async function inventPlatform(
  blocks: readonly InventedBlock[],
  overrides: Partial<NodeContext> = {},
): Promise<InventedPlatform> {
  const { genesis, constants } = Recordings.load('local')
  const store = await openStore()
  const opened = await Writer.open(store, genesis, constants)
  await commitInvented(opened, blocks)
  const chains = createAliases()
  chains.add(Id.EMPTY, 'P')
  const now = () => 2_000_000_000_000
  const given: Partial<NodeContext> = { ...SIGHT, genesis, constants, chains, now, random: () => 0 }
  const context = { ...given, store, snapshot: () => store.snapshot(), ...overrides } as NodeContext
  const service = platformService(context)
  return {
    context,
    add: (...more) => commitInvented(opened, more),
    ask: async (method, params = {}) => {
      const request = Json.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: `platform.${method}`,
        params: params as Json.Json,
      })
      const { result, error } = Json.parse((await answerOf(service, request)) ?? '{}') as {
        readonly result?: unknown
        readonly error?: { readonly message: string }
      }
      return error === undefined ? result : error.message
    },
    close: () => store.close(),
  }
}
