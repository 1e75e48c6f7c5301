import { type ChainAlias, CheckedHex, Id, isFirnError, Json } from '@firn/codec'
import { methodError, type NodeContext, Refusals } from '@firn/node-api'
import type { ChainService } from './ChainService.ts'
import { createEvmRpc } from './evmRpc.ts'

type Upstream = NonNullable<NodeContext['upstream']>

interface Params {
  readonly tx?: string
  readonly encoding?: CheckedHex.Encoding | undefined
  readonly txID?: string
}

/** The methods that the ledger cannot answer, with their chains. */
const ISSUE: Readonly<Record<string, ChainAlias>> = {
  'platform.issueTx': 'P',
  'avm.issueTx': 'X',
  'wallet.issueTx': 'X',
  'avax.issueTx': 'C',
}
const STATUS: Readonly<Record<string, ChainAlias>> = {
  'platform.getTxStatus': 'P',
  'avm.getTxStatus': 'X',
  'avax.getAtomicTxStatus': 'C',
}

/**
 * Returns what the node API asks a node for: it issues transactions, knows those in the mempools, and answers a few
 * methods of the C-chain's EVM.
 */
export function createMempoolUpstream(service: ChainService): Upstream {
  const evm = createEvmRpc(service.builder)
  return {
    async method(_path, method, params) {
      const { tx = '', encoding, txID: txId = '' } = params as Params
      const issued = ISSUE[method]
      if (issued !== undefined) return { txID: Id.format(issue(issued, tx, encoding)) }
      const chain = STATUS[method]
      if (chain === undefined) throw methodError(`the devnet does not have the method ${method}`)
      return statusOf(chain, Id.parse(txId))
    },
    async call(_path, body) {
      const answer = Json.stringify(evm(Json.parse(new TextDecoder().decode(body))))
      const headers = { 'content-type': 'application/json' }
      return { status: 200, headers, body: new TextEncoder().encode(answer) }
    },
    targets: () => [],
    health: () => [],
  }

  function issue(chain: ChainAlias, tx: string, encoding: Params['encoding']): Uint8Array {
    const bytes = CheckedHex.decode(tx, encoding)
    const isWaiting = service.builder.mempools[chain].has(Id.hash(bytes))
    const refusal = isWaiting ? undefined : service.refusal(chain, bytes)
    if (refusal !== undefined) throw methodError(Refusals.text(chain, bytes, refusal))
    try {
      return service.issue(chain, bytes)
    } catch (error) {
      if (isFirnError(error))
        throw methodError(`${chain === 'P' ? "couldn't issue tx: " : ''}${error.message}`)
      throw error
    }
  }

  function statusOf(chain: ChainAlias, txId: Uint8Array): Json.Json {
    const mempool = service.builder.mempools[chain]
    if (mempool.has(txId)) return { status: 'Processing' }
    const reason = mempool.reason(txId)
    return reason === undefined ? { status: 'Unknown' } : { status: 'Dropped', reason }
  }
}
