import { Hex } from '@firn/codec'
import { PROXY_KINDS } from '@firn/evm'
import type { EvmContracts, EvmCreations } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { aboutBody, aboutMembers } from '../../metadata/About.ts'
import { addressText } from '../chain/addressText.ts'
import { textOf } from '../chain/Text.ts'
import { type Contracts, decimalsOf } from './RichAddress.ts'
import { spamMember } from './spamMember.ts'
import type { SpamReason } from './spamReasons.ts'

const members = {
  address: Field.evmAddress('Address of the contract'),
  name: Schema.optional(
    Schema.text('Name that the contract returns, or that it has in its verified source', 'USD Coin'),
  ),
  symbol: Schema.optional(Schema.text('Symbol that the contract returns', 'USDC')),
  ...aboutMembers,
  pricingProviders: Schema.optional(
    Schema.object('PricingProviders', 'Ids of the token at providers of prices', {
      coingeckoCoinId: Schema.optional(Schema.text('Id at CoinGecko', 'usd-coin')),
    }),
  ),
  deploymentDetails: Schema.optional(
    Schema.object('ContractDeploymentDetails', 'How a contract was created', {
      txHash: Field.hash('Hash of the creating transaction'),
      deployerAddress: Field.evmAddress('Sender of the creating transaction'),
      deployerContractAddress: Schema.optional(
        Field.evmAddress('Contract that created this contract, if any'),
      ),
    }),
  ),
  ...spamMember,
  proxy: Schema.optional(
    Schema.object(
      'ContractProxy',
      'The contract whose code a proxy runs. It is read again after events that announce an upgrade.',
      {
        kind: Schema.choice(
          PROXY_KINDS.filter((kind) => kind !== 'NONE'),
          '`EIP-1167`: the code of a clone contains the address of the implementation; `EIP-1967`, `EIP-1822`, `ZEPPELINOS`: the proxy stores it, in the slot of this standard; `EIP-1967-BEACON`: a beacon tells it',
          'EIP-1967',
        ),
        implementation: Schema.optional(
          Field.evmAddress('Contract whose code the proxy runs; missing if the beacon does not tell it'),
        ),
        beacon: Schema.optional(Field.evmAddress('Contract that tells the proxy its implementation')),
      },
    ),
  ),
}
const STANDARD = 'Token standard of the contract'

/** A contract. `ercType` identifies its token standard. */
export const Contract = Schema.union('Contract', 'A contract. `ercType` identifies its token standard.', [
  Schema.object('Erc721Contract', 'An ERC-721 contract', {
    ...members,
    ercType: Schema.constant('ERC-721', STANDARD),
  }),
  Schema.object('Erc1155Contract', 'An ERC-1155 contract', {
    ...members,
    ercType: Schema.constant('ERC-1155', STANDARD),
  }),
  Schema.object('Erc20Contract', 'An ERC-20 contract', {
    ...members,
    ercType: Schema.constant('ERC-20', STANDARD),
    decimals: Schema.integer('Number of decimals in which amounts are shown', 6),
  }),
  Schema.object('UnknownContract', 'A contract without a known token standard', {
    ...members,
    ercType: Schema.constant('UNKNOWN', STANDARD),
  }),
])

/** Returns a contract in the Data API's format. */
export function contract(
  address: Uint8Array,
  contracts: Contracts,
  creation: EvmCreations.Creation | undefined,
  spam: readonly SpamReason[],
): Body {
  const [known, about = {}] = [contracts.get(address), contracts.about(address)]
  const { standard = 0 } = known ?? {}
  return {
    address: addressText(address),
    ercType: ercTypeOf(standard),
    ...aboutBody(about),
    name: contracts.name(address),
    symbol: about.symbol ?? textOf(known?.symbol),
    pricingProviders:
      about.coingeckoCoinId === undefined ? undefined : { coingeckoCoinId: about.coingeckoCoinId },
    decimals: decimalsOf(known),
    spamReasons: spam,
    proxy: proxyOf(known),
    deploymentDetails: creation && {
      txHash: Hex.encode(creation.transactionHash),
      deployerAddress: addressText(creation.deployer),
      deployerContractAddress: creation.position === 0 ? undefined : addressText(creation.creator),
    },
  }
}

function proxyOf(known: EvmContracts.Contract | undefined): Body | undefined {
  const { proxy = null, implementation, beacon } = known ?? {}
  if (proxy === null || proxy === 'NONE') return undefined
  return {
    kind: proxy,
    implementation: implementation ? addressText(implementation) : undefined,
    beacon: beacon ? addressText(beacon) : undefined,
  }
}

function ercTypeOf(standard: number): 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'UNKNOWN' {
  return standard === 20 || standard === 721 || standard === 1155 ? `ERC-${standard}` : 'UNKNOWN'
}
