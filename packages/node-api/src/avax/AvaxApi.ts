import { Bytes, Id } from '@firn/codec'
import { Upgrades } from '@firn/genesis'
import { AvaxMethods, type Params, type Result } from '@firn/rpc'
import { type Snapshot, Transactions } from '@firn/store'
import type { FreshnessTable, NodeContext } from '../Context.ts'
import * as ByteText from '../internal/ByteText.ts'
import * as CChain from '../internal/CChain.ts'
import { issue } from '../internal/issue.ts'
import { type Handlers, methodError } from '../Service.ts'
import type { Era } from './CAddresses.ts'
import * as CUtxos from './CUtxos.ts'
import * as UpstreamStatus from './UpstreamStatus.ts'

/**
 * How long results may be cached. The status of a transaction that is not accepted can change at any time.
 */
export const FRESHNESS: FreshnessTable<typeof AvaxMethods> = {
  'avax.getAtomicTx': 'forever',
  'avax.getAtomicTxStatus': 'volatile',
  'avax.getUTXOs': 'snapshot',
  'avax.issueTx': 'volatile',
}

const UNDECODABLE = { coreth: 'problem decoding transaction', saevm: 'decoding tx' }

/**
 * Returns the handlers for the C-chain's imports and exports, with the error texts of the implementation
 * active at the snapshot. If the C-chain is not followed, only transactions can be issued.
 */
export function handlers(context: NodeContext): Handlers<typeof AvaxMethods> {
  const all = followed(context)
  if (context.followsCChain) return all
  const rejecting = CChain.rejecting(AvaxMethods, "the C-chain's imports, exports and UTXOs are")
  return { ...rejecting, 'avax.issueTx': all['avax.issueTx'] }
}

function followed(context: NodeContext): Handlers<typeof AvaxMethods> {
  const { constants, followsCChain } = context
  const eraAt = ({ P, C }: Snapshot): Era => {
    const { time } = followsCChain ? C : P
    return Upgrades.hasSwitchedCChain(constants.upgrades, time) ? 'saevm' : 'coreth'
  }
  return {
    'avax.getAtomicTx': async (params) => {
      const at = await context.snapshot()
      return atomicTx(context, at, eraAt(at), params)
    },
    'avax.getAtomicTxStatus': async ({ txID: txId }) => {
      const at = await context.snapshot()
      const era = eraAt(at)
      if (era === 'coreth') assertId(txId)
      const found = await Transactions.statusById(context.store, at, 'C', txId)
      if (found !== undefined) return { status: 'Accepted', blockHeight: found.height }
      // The implementation since Helicon reports only accepted transactions.
      if (era !== 'coreth') return { status: 'Unknown' }
      if (context.upstream !== undefined) return UpstreamStatus.of(context, txId)
      // The node names no reason here.
      return { status: context.issuer?.status('C', txId)?.status ?? 'Unknown' }
    },
    'avax.getUTXOs': async (params) => {
      const at = await context.snapshot()
      const answer = eraAt(at) === 'coreth' ? CUtxos.coreth : CUtxos.saevm
      return answer(context, at, params)
    },
    'avax.issueTx': async (params) => {
      const undecodable = UNDECODABLE[eraAt(await context.snapshot())]
      const route = { chain: 'C', path: '/ext/bc/C/avax', method: 'avax.issueTx', undecodable } as const
      return issue(context, route, params)
    },
  }
}

async function atomicTx(
  { store }: NodeContext,
  at: Snapshot,
  era: Era,
  { txID: txId, encoding = 'hex' }: Params<typeof AvaxMethods, 'avax.getAtomicTx'>,
): Promise<Result<typeof AvaxMethods, 'avax.getAtomicTx'>> {
  if (era === 'coreth') assertId(txId)
  const found = await Transactions.byId(store, at, 'C', txId)
  if (found === undefined)
    throw methodError(
      era === 'coreth' ? `could not find tx ${Id.format(txId)}` : 'fetching tx: reading tx: not found',
    )
  const prefix = era === 'coreth' ? '' : 'encoding tx: encoding tx: '
  return { tx: encoded(found.bytes, encoding, prefix), encoding, blockHeight: found.height }
}

function encoded(bytes: Uint8Array, encoding: Parameters<typeof ByteText.encode>[1], prefix: string): string {
  if (encoding === 'json') throw methodError(`${prefix}unsupported encoding in method`)
  return ByteText.encode(bytes, encoding)
}

function assertId(txId: Uint8Array): void {
  if (Bytes.isZero(txId)) throw methodError('nil transaction ID')
}
