import { UnsignedTx } from '@firn/txs'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { AssetAmount } from './AssetAmount.ts'
import { BlsCredentials } from './L1Validator.ts'
import { SubnetOwnershipInfo } from './Owner.ts'
import { PlatformUtxo } from './PlatformUtxo.ts'
import { L1ValidatorManagerDetails } from './Subnet.ts'

/** Data API names of all P-chain transaction types. */
export const PLATFORM_TX_TYPES = [
  ...(Object.keys(UnsignedTx.TYPES) as UnsignedTx.TxType[]),
  'UNKNOWN',
] as const

/** State of an L1 validator after a transaction. */
export const L1ValidatorDetails = Schema.object(
  'L1ValidatorDetailsTransaction',
  'State of an L1 validator after a transaction',
  {
    validationId: Field.cb58('Id of the validation'),
    validationIdHex: Field.hash('Id of the validation'),
    nodeId: Field.nodeId('Node of the validator'),
    subnetId: Field.cb58('Subnet of the L1'),
    weight: Schema.integer('Weight after the transaction', 100),
    remainingBalance: Schema.integer('Balance for fees after the transaction, in nAVAX', 99_500_000),
    balanceChange: Schema.optional(
      Schema.integer('Change of the balance by the transaction, in nAVAX', 100_000_000),
    ),
    blsCredentials: Schema.optional(Schema.as(BlsCredentials, 'BLS public key of the validator')),
  },
)

/** A P-chain transaction. */
export const PlatformTransaction = Schema.object(
  'PChainTransaction',
  'A P-chain transaction. Members that a type of transaction does not have are absent.',
  {
    txHash: Field.cb58('Id of the transaction'),
    txType: Schema.choice(
      PLATFORM_TX_TYPES,
      'Type of the transaction; `UNKNOWN` for versions of the official client that reject the type',
    ),
    blockTimestamp: Field.seconds('Time of the block that contains the transaction'),
    blockNumber: Field.height('Number of the block that contains the transaction'),
    blockHash: Field.cb58('Id of the block that contains the transaction'),
    memo: Schema.optional(Field.hex('Memo of the transaction', '0x')),
    rewardTxHash: Schema.optional(Field.cb58('Id of the transaction that ended the stake')),
    rewardAddresses: Schema.optional(Field.addresses('Addresses that receive the reward')),
    estimatedReward: Schema.optional(Field.nAvax('Expected reward', '61000000000')),
    startTimestamp: Schema.optional(Field.seconds('Start of the stake', 1_790_000_000)),
    endTimestamp: Schema.optional(Field.seconds('End of the stake', 1_800_000_000)),
    delegationFeePercent: Schema.optional(
      Schema.text('Commission of the validator, in percent, as decimal text', '2'),
    ),
    nodeId: Schema.optional(Field.nodeId('Node that the transaction names')),
    subnetId: Schema.optional(Field.cb58('Subnet that the transaction names')),
    l1ValidatorManagerDetails: Schema.optional(
      Schema.as(L1ValidatorManagerDetails, 'Chain and contract that manage the validators of the L1'),
    ),
    l1ValidatorDetails: Schema.optional(
      Schema.list(L1ValidatorDetails, 'L1 validators that the transaction changed'),
    ),
    consumedUtxos: Schema.list(PlatformUtxo, 'Outputs that the transaction consumed'),
    emittedUtxos: Schema.list(PlatformUtxo, 'Outputs that the transaction created'),
    sourceChain: Schema.optional(Field.cb58('Blockchain id of the chain from which an import comes')),
    destinationChain: Schema.optional(Field.cb58('Blockchain id of the chain to which an export goes')),
    value: Schema.list(
      AssetAmount,
      'Amounts of the outputs that the transaction created, one for each asset',
    ),
    amountBurned: Schema.list(AssetAmount, 'Amounts that the transaction burned as fees, one for each asset'),
    amountStaked: Schema.list(AssetAmount, 'Amounts that the transaction staked, one for each asset'),
    amountL1ValidatorBalanceBurned: Schema.list(
      AssetAmount,
      'Amounts that the transaction paid to balances of L1 validators',
    ),
    subnetOwnershipInfo: Schema.optional(
      Schema.as(SubnetOwnershipInfo, 'Owner of the subnet that the transaction sets'),
    ),
    blsCredentials: Schema.optional(Schema.as(BlsCredentials, 'BLS public key of the validator')),
    stakingTxHash: Schema.optional(Field.cb58('Id of the transaction that added the staker')),
    blockchainInfo: Schema.optional(
      Schema.object('BlockchainInfo', 'A blockchain that a transaction creates', {
        chainName: Schema.text('Name of the blockchain', 'My chain'),
        vmId: Field.cb58('Id of the virtual machine', 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6'),
        genesisData: Schema.optional(
          Schema.any('The genesis as a JSON object, or as a string if it is not JSON', {
            config: { chainId: 43_114 },
          }),
        ),
      }),
    ),
  },
  [
    'rewardTxHash',
    'l1ValidatorManagerDetails',
    'l1ValidatorDetails',
    'sourceChain',
    'destinationChain',
    'subnetOwnershipInfo',
    'stakingTxHash',
    'blockchainInfo',
  ],
)
