import type { PlatformMethods, Schema } from '@firn/rpc'
import { Transactions, Utxos } from '@firn/store'
import type { Freshness, NodeContext } from '../Context.ts'
import * as ByteText from '../internal/ByteText.ts'
import { issue } from '../internal/issue.ts'
import { type Handlers, methodError } from '../Service.ts'
import * as Rendering from './Rendering.ts'
import * as UpstreamStatus from './UpstreamStatus.ts'

/**
 * How long results may be cached. The status of a transaction that is not accepted changes upstream. Because results
 * are cached, clients that poll a status cause at most one upstream request per second.
 */
export const FRESHNESS = {
  'platform.getTx': 'forever',
  'platform.getTxStatus': 'second',
  'platform.getRewardUTXOs': 'snapshot',
  'platform.issueTx': 'volatile',
} as const satisfies Readonly<Record<string, Freshness>>

const ISSUE = {
  chain: 'P',
  path: '/ext/bc/P',
  method: 'platform.issueTx',
  undecodable: 'problem decoding transaction',
} as const

/** Returns the handlers for P-chain transactions, including pending transactions. */
export function handlers(
  context: NodeContext,
): Pick<Handlers<typeof PlatformMethods>, keyof typeof FRESHNESS> {
  const { store, snapshot } = context
  return {
    'platform.getTx': async ({ txID: txId, encoding = 'hex' }) => {
      const found = await Transactions.byId(store, await snapshot(), 'P', txId)
      if (found === undefined) throw methodError("couldn't get tx: not found")
      return { tx: Rendering.transaction(context, found.bytes, encoding), encoding }
    },
    'platform.getTxStatus': async ({ txID: txId }) => {
      const found = await Transactions.statusById(store, await snapshot(), 'P', txId)
      if (found === undefined && context.upstream === undefined)
        return context.issuer?.status('P', txId) ?? { status: 'Unknown' }
      if (found === undefined) return UpstreamStatus.of(context, txId)
      return { status: found.status === 'Aborted' ? 'Aborted' : 'Committed' }
    },
    'platform.getRewardUTXOs': async ({ txID: txId, encoding = 'hex' }) => {
      const utxos = await Utxos.rewards(store, await snapshot(), txId)
      const texts = utxos.map((bytes) => encodeUtxo(bytes, encoding))
      return { numFetched: BigInt(texts.length), utxos: texts, encoding }
    },
    'platform.issueTx': (params) => issue(context, ISSUE, params),
  }
}

function encodeUtxo(bytes: Uint8Array, encoding: Schema.Encoding): string {
  if (encoding === 'json') throw methodError("couldn't encode utxo as json: unsupported encoding in method")
  return ByteText.encode(bytes, encoding)
}
