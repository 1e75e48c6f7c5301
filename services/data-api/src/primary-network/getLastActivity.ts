import { Id } from '@firn/codec'
import { Utxos } from '@firn/store'
import { Type } from 'typebox'
import { addresses, MAX_ADDRESSES_OF_BODY } from '../AddressParameter.ts'
import type { DataContext } from '../Context.ts'
import { DataApiError } from '../DataApiError.ts'
import * as BodyTexts from '../front/BodyTexts.ts'
import { type Answer, define, type Endpoint } from '../front/Endpoint.ts'
import * as Parameter from '../front/Parameter.ts'
import * as Names from '../Names.ts'
import { perBlock } from '../PrimarySnapshots.ts'
import { Incomplete, incomplete } from './CChain.ts'
import { ChainInfo } from './shapes/ChainInfo.ts'

const LastActivity = Type.Object({
  timestamp: Type.Number(),
  blockNumber: Type.String(),
  txHash: Type.String(),
  utxoId: Type.String(),
  isConsumed: Type.Boolean(),
  ...ChainInfo.properties,
  incomplete: Type.Optional(Incomplete),
})

const common = (context: DataContext) =>
  ({
    path: '/v1/networks/{network}/blockchains/{blockchainId}/lastActivityTimestampByAddresses',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
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
  const specification = { addresses: addresses(context.constants.hrp, MAX_ADDRESSES_OF_BODY) }
  const names = Object.keys(specification)
  return define({
    ...common(context),
    method: 'POST',
    summary: 'Time at which outputs of many addresses were last created or consumed',
    queryParameters: {},
    requestBody: BodyTexts.schema(specification, names),
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
  const source = (isConsumed ? utxo.consumed : undefined) ?? utxo
  const body = {
    timestamp: source.time,
    blockNumber: String(source.height),
    txHash: Id.format(source.txId),
    utxoId: Id.format(utxo.id),
    isConsumed,
    chainName: blockchainId,
    network,
    ...incomplete(context, 'imports from the C-chain that consumed outputs of these addresses are'),
  }
  return { body, height: at.P.height, time: at.P.time }
}
