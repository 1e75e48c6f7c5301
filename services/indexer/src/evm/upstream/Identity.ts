import { isFirnError } from '@firn/codec'
import { IndexerError } from '../../common/IndexerError.ts'
import { type Abilities, type Ask, probe } from './abilities.ts'
import * as Requests from './Requests.ts'
import { createShared } from './Shared.ts'

/** Options of {@link createIdentity}. */
export interface IdentityOptions {
  readonly requests: Requests.Requests
  /** Expected chain id. */
  readonly chainId: bigint
  /** Height of the first block to fetch. */
  readonly firstHeight: bigint
  /**
   * Compares the node's chain with the stored one. Called before the node's first use and after {@link
   * Identity.recheck}. If undefined, every chain with the right id is accepted.
   * @throws IndexerError, which makes the node unusable until the next comparison
   */
  readonly assertSameChain?: (ask: Ask, name: string) => Promise<void>
}

/** Detects the capabilities and the chain of a node. */
export interface Identity {
  /**
   * Returns the node's capabilities. They are detected on first use, and again when the node has recovered from
   * repeated failures.
   * @throws IndexerError `INDEXER_CHAIN`, `INDEXER_RESET`, `INDEXER_REORGANISATION`, or the errors of `ask`
   */
  abilities(signal: AbortSignal): Promise<Abilities>
  /** Requires a comparison of the node's chain with the stored one before the node's next use. */
  recheck(): void
  /** Returns why the node cannot be used; undefined if it can, as far as known. */
  problem(): IndexerError | undefined
}

/** Creates the identity of a node. It sends no request until it is used. */
export function createIdentity(options: IdentityOptions): Identity {
  const { requests, chainId, firstHeight, assertSameChain } = options
  const { log, labels } = requests
  const name = labels.upstream
  /** The number of the node's recoveries when its capabilities were detected. */
  let foundAfter = 0
  /** Reason why the node's capabilities or its chain could not be read; undefined once they are. */
  let unusable: IndexerError | undefined
  /** Reason why the node is unusable until its chain is compared again. */
  let foreign: IndexerError | undefined
  const putAside = (error: IndexerError): IndexerError => {
    Requests.note(requests, error)
    if (foreign?.message !== error.message) log.warn({ ...labels, code: error.code }, error.message)
    foreign = error
    return error
  }
  const found = createShared(async (signal) => {
    log.info(labels, `connecting to ${name}`)
    const abilities = await probe((calls) => Requests.ask(requests, calls, signal), firstHeight, name)
    if (abilities.chainId !== chainId) throw putAside(wrongChain(name, chainId, abilities.chainId))
    const { receiptsBy, tracesBy, tracesOld } = abilities
    log.debug({ ...labels, receiptsBy, tracesBy, tracesOld }, 'detected node capabilities')
    return abilities
  })
  const compared = createShared(async (signal) => {
    try {
      await assertSameChain?.((calls) => Requests.ask(requests, calls, signal), name)
      foreign = undefined
    } catch (error) {
      throw isForeign(error) ? putAside(error) : error
    }
  })
  /** Logs why the capabilities or the chain of the node cannot be read, unless it is logged elsewhere. */
  const report = (error: IndexerError): void => {
    const isKnown =
      FOREIGN.includes(error.code) || error === requests.problem || unusable?.message === error.message
    if (!isKnown) log.warn({ ...labels, code: error.code }, `a node cannot be used: ${error.message}`)
  }
  return {
    async abilities(signal) {
      if (foundAfter !== requests.recoveries) {
        foundAfter = requests.recoveries
        found.forget()
        compared.forget()
      }
      try {
        const result = await found.get(signal)
        await compared.get(signal)
        unusable = undefined
        return result
      } catch (error) {
        if (signal.aborted || !isFirnError(error)) throw error
        report(error as IndexerError)
        unusable = error as IndexerError
        throw error
      }
    },
    recheck: () => compared.forget(),
    problem: () => foreign ?? unusable,
  }
}

const FOREIGN = ['INDEXER_CHAIN', 'INDEXER_RESET', 'INDEXER_REORGANISATION']

/** Returns whether an error means that a node has a different chain than the stored one. */
export function isForeign(error: unknown): error is IndexerError {
  return isFirnError(error) && FOREIGN.includes(error.code)
}

function wrongChain(name: string, expected: bigint, actual: bigint): IndexerError {
  return new IndexerError('INDEXER_CHAIN', `${name} serves chain ${actual}, expected chain ${expected}`, {
    details: { upstream: name, expected: `${expected}`, actual: `${actual}` },
  })
}
