import { isFirnError } from '@firn/codec'
import type { Indexer, Source } from '@firn/indexer'
import { createIssuer, type FollowingIssuer, methodError } from '@firn/node-api'
import { type Logger, systemClock } from '@firn/runtime'
import { type Store, Transactions } from '@firn/store'

/** What issuing needs: where accepted transactions are stored, the source, and the indexer that has the state. */
export type Parts = {
  readonly store: Store
  readonly source: Source.Source
  readonly indexer: () => Indexer
  readonly log: Logger
}

/** Returns an issuer that pushes transactions to the source's validators; undefined if the source has none. */
export const create = ({ store, source, indexer, log }: Parts): FollowingIssuer | undefined => {
  const { push, chains } = source
  if (push === undefined) return undefined
  return createIssuer({
    async verify(chain, bytes) {
      if (chains?.includes(chain) === false) {
        const remedy = 'start with --upstream to issue its transactions'
        throw methodError(`the ${chain}-chain is not followed here; ${remedy}`)
      }
      try {
        return await indexer().verify(chain, bytes)
      } catch (error) {
        if (!isFirnError(error)) throw error
        throw methodError(`cannot check the transaction: ${error.message}`)
      }
    },
    push: (chain, transactions) => push(chain, transactions),
    isAccepted: async (chain, txId) =>
      (await Transactions.statusById(store, await store.snapshot(), chain, txId)) !== undefined,
    onAdvance: (listener) => store.onAdvance(listener),
    clock: systemClock,
    log,
  })
}
