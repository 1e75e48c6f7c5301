import { Id } from '@firn/codec'
import type { AcceptMessage } from '../Devnet.ts'
import { DevnetError } from '../DevnetError.ts'
import { createEvmLedger, type EvmLedger } from '../EvmLedger.ts'
import { type Chain, key, type State } from '../State.ts'

/** The accepted messages of all EVM chains. */
export interface EvmLedgers {
  /** Adds a ledger for each new EVM chain. */
  addNew(): void
  /** Returns what a node has accepted on a chain; undefined for a chain without a ledger. */
  view(chain: Chain, node: number): ReturnType<EvmLedger['view']> | undefined
  /**
   * Returns a chain with its ledger.
   * @throws DevnetError `DEVNET_UNKNOWN`
   */
  find(chain: AcceptMessage['chain']): { readonly chain: Chain; readonly ledger: EvmLedger }
}

/** Creates the ledgers. `findChain` returns the chain with a name or id. */
export function createEvmLedgers(
  state: () => State,
  findChain: (text: string) => Chain | undefined,
): EvmLedgers {
  const ledgers = new Map<string, EvmLedger>()
  return {
    addNew: () => {
      for (const [id, { vm }] of state().chains) {
        const isEvm = vm === 'coreth' || vm === 'subnet-evm'
        if (isEvm && !ledgers.has(id)) ledgers.set(id, createEvmLedger())
      }
    },
    view: ({ id }, node) => ledgers.get(key(id))?.view(node),
    find: (chain) => {
      const text =
        typeof chain === 'string' ? chain : Id.format(chain instanceof Uint8Array ? chain : chain.id)
      const found = findChain(text)
      const ledger = found && ledgers.get(key(found.id))
      if (found === undefined || ledger === undefined)
        throw new DevnetError('DEVNET_UNKNOWN', `expected an EVM chain, got ${text}`)
      return { chain: found, ledger }
    },
  }
}
