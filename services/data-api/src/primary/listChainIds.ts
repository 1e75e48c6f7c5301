import { Id } from '@firn/codec'
import { Utxos } from '@firn/store'
import { define, type Endpoint } from '../http/endpoint/Endpoint.ts'
import * as Field from '../http/endpoint/Field.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { addresses } from './network/AddressParameter.ts'
import { Incomplete, incomplete } from './network/CChain.ts'
import type { DataContext } from './network/Context.ts'
import * as Names from './network/Names.ts'
import { perBlock } from './network/PrimarySnapshots.ts'
import { address } from './shapes/Owner.ts'

const ChainIds = Schema.object(
  'ChainAddressChainIdMapListResponse',
  'The chains of each address',
  {
    addresses: Schema.list(
      Schema.object('ChainAddressChainIdMap', 'The chains of an address', {
        address: Schema.text('Address as in the request', 'avax1qm2a25eytsrj235hq2vcp4xfqjxpqsrlr2ucqp'),
        blockchainIds: Schema.list(
          Field.cb58('Blockchain id'),
          'Blockchain ids of the chains on which the address has transactions or spendable outputs',
        ),
      }),
      'The requested addresses, in the order of the request',
    ),
    incomplete: Schema.optional(Incomplete),
  },
  ['incomplete'],
)

/**
 * `GET /v1/networks/{network}/addresses:listChainIds`: Primary Network chains on which addresses have
 * transactions or funds.
 */
export function listChainIds(context: DataContext): Endpoint {
  const { store, constants, genesis } = context
  const ids = {
    P: Id.format(new Uint8Array(32)),
    X: Id.format(genesis.xChain.blockchainId),
    C: Id.format(genesis.cChain.blockchainId),
  }
  return define({
    method: 'GET',
    path: '/v1/networks/{network}/addresses:listChainIds',
    operationId: 'getChainIdsForAddresses',
    summary: 'The chains on which addresses have transactions or spendable outputs',
    tag: 'Primary Network',
    scope: 'data',
    units: 20,
    version: perBlock(context),
    pathParameters: { network: Names.network(context) },
    queryParameters: { addresses: addresses(constants.hrp) },
    response: ChainIds,
    handle: async ({ query }) => {
      const at = await store.snapshot()
      const chains = await Utxos.activeChains(store, at, query.addresses)
      const found = query.addresses.map((one, i) => ({
        address: address(one, constants.hrp),
        // Whether an export to a C-chain that is not followed was imported there is not known.
        blockchainIds: (chains[i] ?? []).flatMap((chain) =>
          chain === 'C' && !context.followsCChain ? [] : ids[chain],
        ),
      }))
      const missing = incomplete(context, 'the C-chain is')
      return { body: { addresses: found, ...missing }, height: at.P.height, time: at.P.time }
    },
  })
}
