import { Id } from '@firn/codec'
import { type Snapshot, type Store, Transactions, Utxos } from '@firn/store'
import * as BodyTexts from '../http/endpoint/BodyTexts.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import { type Answer, define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { addresses, MAX_ADDRESSES_OF_BODY } from './network/AddressParameter.ts'
import { Incomplete, incomplete } from './network/CChain.ts'
import type { DataContext } from './network/Context.ts'
import * as Names from './network/Names.ts'
import { perBlock } from './network/PrimarySnapshots.ts'
import { ChainInfo } from './shapes/ChainInfo.ts'

const LastActivity = Schema.object(
  'LastActivityTimestamp',
  'The last time at which outputs of addresses were created or consumed',
  {
    timestamp: Field.seconds('Time of the last activity'),
    blockNumber: Field.height('Block of the last activity'),
    txHash: Field.cb58('Transaction of the last activity'),
    utxoId: Field.cb58('Output that was created or consumed'),
    isConsumed: Schema.flag('Whether the output was consumed rather than created', true),
    chainInfo: Schema.as(ChainInfo, 'Chain and network of the outputs'),
    incomplete: Schema.optional(Incomplete),
  },
  ['incomplete'],
)

const UNITS = 20

const common = (context: DataContext) =>
  ({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/lastActivityTimestampByAddresses',
    tag: 'Primary Network',
    scope: 'data',
    units: UNITS,
    version: perBlock(context),
    pathParameters: { network: Names.network(context), blockchainId: Names.primaryBlockchain(context) },
    response: LastActivity,
  }) as const

/**
 * `GET …/{blockchainId}/lastActivityTimestampByAddresses`: time at which an output of the given addresses was
 * last created or consumed.
 */
export function getLastActivity(context: DataContext): Endpoint {
  return define({
    ...common(context),
    method: 'GET',
    operationId: 'getLastActivityTimestampByAddresses',
    summary: 'Time at which outputs of addresses were last created or consumed',
    queryParameters: { addresses: addresses(context.constants.hrp) },
    handle: ({ path, query }) => answer(context, path, query.addresses),
  })
}

/**
 * `POST …/{blockchainId}/lastActivityTimestampByAddresses`: like {@link getLastActivity}, with more addresses
 * in the request body.
 */
export function getLastActivityOfMany(context: DataContext): Endpoint {
  const operationId = 'getLastActivityTimestampByAddressesV2'
  const specification = { addresses: addresses(context.constants.hrp, MAX_ADDRESSES_OF_BODY) }
  const names = Object.keys(specification)
  return define({
    ...common(context),
    method: 'POST',
    operationId,
    summary: 'Time at which outputs of many addresses were last created or consumed',
    queryParameters: {},
    requestBody: BodyTexts.schema(operationId, specification, names),
    extraUnits: ({ body }) => BodyTexts.extraUnits(body, specification, names, UNITS),
    handle: ({ path, body }) => {
      const { addresses: owners } = Parameter.read(specification, BodyTexts.read(body, names))
      return answer(context, path, owners)
    },
  })
}

async function answer(
  context: DataContext,
  { network, blockchainId }: { readonly network: string; readonly blockchainId: Names.ChainName },
  owners: readonly Uint8Array[],
): Promise<Answer> {
  const { store } = context
  const at = await store.snapshot()
  const activity = await Utxos.lastActivity(store, at, Names.LETTER[blockchainId], owners)
  if (activity === undefined) {
    throw new DataApiError(
      'DATA_NOT_FOUND',
      `addresses: no output of these addresses was found on the ${blockchainId}`,
    )
  }
  const { utxo, isConsumed } = activity
  const cause = (isConsumed ? utxo.consumed : undefined) ?? (await maker(store, at, utxo))
  const body = {
    timestamp: cause.time,
    blockNumber: String(cause.height),
    txHash: Id.format(cause.txId),
    utxoId: Id.format(utxo.id),
    isConsumed,
    chainName: blockchainId,
    network,
    ...incomplete(context, 'imports from the C-chain that consumed outputs of these addresses are'),
  }
  return { body, height: at.P.height, time: at.P.time }
}

/** Returns the transaction that created an output. It created a reward or a returned stake under another transaction's id. */
async function maker(store: Store, at: Snapshot, utxo: Utxos.UtxoHistory): Promise<Utxos.Consumed> {
  const isPaid = utxo.origin === 'reward' || utxo.origin === 'stake'
  // The reward transaction is in the block before the one that decides on the reward.
  const [payment] = isPaid ? await Transactions.rewards(store, at, [utxo.height - 1n]) : []
  return payment === undefined ? { txId: utxo.txId, ...utxo.block } : { ...payment, txId: payment.id }
}
