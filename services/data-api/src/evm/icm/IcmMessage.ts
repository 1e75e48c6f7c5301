import { Hex, Id } from '@firn/codec'
import type { EvmIcm } from '@firn/evm-store'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { addressText, ZERO_ADDRESS } from '../chain/addressText.ts'
import type { EvmContext } from '../chain/EvmContext.ts'
import { Erc20Token, erc20Token } from '../shapes/Erc20Token.ts'
import { contractsAt } from '../shapes/RichAddress.ts'
import { evmChainIdText, type IcmChain } from './IcmChains.ts'
import { feeOf, type Message, newest, rowOf } from './Message.ts'

/** The names of the API: `Icm`, and the deprecated `Teleporter`, whose messages have other member names. */
export type Dialect = 'Icm' | 'Teleporter'

/** Id of a message in answers. */
export const messageId = Schema.text(
  'Id of the message, 64 hexadecimal digits',
  'acf1c8b06f9aec48e9fcbefbbe576ae8a7ca3b327fcae111396e7cc99956674d',
)
const evmChainId = (which: string) =>
  Schema.text(`EVM chain id of the ${which}; \`unknown\` if it is not known`, '43114')

/** What a message has in all states. */
export const about = {
  messageId,
  sourceBlockchainId: Field.cb58('Blockchain id of the source'),
  destinationBlockchainId: Field.cb58('Blockchain id of the destination'),
  sourceEvmChainId: evmChainId('source'),
  destinationEvmChainId: evmChainId('destination'),
  messageNonce: Schema.text('Number of the message, counted by the messenger that sent it', '7'),
  from: Field.evmAddress('Account or contract that sent the message'),
  to: Field.evmAddress('Contract that executes the message'),
}

const receiptMembers = {
  receivedMessageNonce: Schema.text('Nonce of the message that was delivered', '3'),
  relayerRewardAddress: Field.evmAddress('Address that may redeem its fee'),
}
const { ercType: _, ...token } = Erc20Token.properties
const rewardMembers = {
  ...token,
  ercType: Schema.constant('ERC-20', 'Token standard'),
  value: Field.units('Amount of the fee; 0 if there is none, or if the source is not followed'),
}
const transactionMembers = {
  txHash: Field.hash('Hash of the transaction'),
  timestamp: Field.seconds('Time of its block'),
  gasSpent: Field.gas('Gas that the transaction used', '182000'),
}
const destinationMembers = {
  ...transactionMembers,
  rewardRedeemer: Field.evmAddress('Address that may redeem the fee on the source'),
  delivererAddress: Field.evmAddress('Account that delivered the message'),
}

/** The members with the messenger contract. The official client expects both in some answers of the former dialect. */
const CONTRACTS = {
  Icm: ['icmContractAddress'],
  Teleporter: ['teleporterContractAddress', 'icmContractAddress'],
} as const satisfies { readonly [dialect in Dialect]: readonly string[] }
const contractAddress = Field.evmAddress('Messenger contract, the same on both chains')

function shapesOf(dialect: Dialect) {
  const receipts = Schema.list(
    Schema.object(
      `${dialect}Receipt`,
      'Confirms the delivery of an earlier message in the opposite direction',
      receiptMembers,
    ),
    'Receipts that the message carries',
  )
  const rewardDetails = Schema.object(`${dialect}RewardDetails`, 'The fee of a message', rewardMembers)
  const named = (name: string) => `${name}${dialect}Message`
  const members = {
    ...about,
    ...Object.fromEntries(CONTRACTS[dialect].map((name) => [name, contractAddress])),
    data: Field.hex('Payload for the recipient; `0x` if the message only carries receipts'),
    messageExecuted: Schema.flag('Whether the recipient has executed the message', true),
    receipts,
    receiptDelivered: Schema.flag('Whether the source has got the receipt of this message', false),
    rewardDetails,
  }
  const sourceTransaction = Schema.object(
    `${dialect}SourceTransaction`,
    'The transaction that first sent the message',
    transactionMembers,
  )
  const destinationTransaction = Schema.object(
    `${dialect}DestinationTransaction`,
    'The transaction that delivered the message',
    destinationMembers,
  )
  const status = (word: string, meaning: string) => Schema.constant(word, meaning)
  const message = Schema.union(`${dialect}Message`, 'A message. `status` is its state.', [
    Schema.object(named('Delivered'), 'A message that was delivered', {
      ...{ ...members, sourceTransaction, destinationTransaction },
      status: status('delivered', 'The message was delivered'),
    }),
    Schema.object(named('Pending'), 'A message of which no delivery is known', {
      ...{ ...members, sourceTransaction },
      status: status('pending', 'No delivery is known: it is pending, or the destination is not followed'),
    }),
    Schema.object(
      named('DeliveredSourceNotIndexed'),
      'A message that was delivered, from a chain that is not followed',
      {
        ...{ ...members, destinationTransaction },
        status: status(
          'delivered_source_not_indexed',
          'The message was delivered; its source is not followed',
        ),
      },
    ),
  ])
  return { message, receipts, rewardDetails }
}

/** The messages of each dialect, and parts of them. */
export const SHAPES = { Icm: shapesOf('Icm'), Teleporter: shapesOf('Teleporter') } as const

/** Returns messages in the format of the API. */
export async function formatMessages(
  context: EvmContext,
  chains: readonly IcmChain[],
  messages: readonly Message[],
  dialect: Dialect,
): Promise<readonly Body[]> {
  const rewards = await formatRewards(messages)
  return Promise.all(
    messages.map(async (message) => {
      const { sent, received, content } = message
      const row = rowOf(message)
      return {
        ...(await formatAbout(context, chains, row)),
        ...Object.fromEntries(CONTRACTS[dialect].map((name) => [name, addressText(row.contract)])),
        data: Hex.encode(content.data),
        messageExecuted: newest(message, 'executed') !== undefined,
        receipts: content.receipts.map(({ nonce, relayer }) => ({
          receivedMessageNonce: String(nonce),
          relayerRewardAddress: addressText(relayer),
        })),
        receiptDelivered: newest(message, 'receipt') !== undefined,
        rewardDetails: rewards.get(message) as Body,
        sourceTransaction: sent && transaction(sent.row),
        destinationTransaction: received && {
          ...transaction(received.row),
          rewardRedeemer: addressText(received.row.rewardRedeemer ?? ZERO_ADDRESS),
          delivererAddress: addressText(received.row.relayer ?? ZERO_ADDRESS),
        },
        status:
          received === undefined
            ? 'pending'
            : sent === undefined
              ? 'delivered_source_not_indexed'
              : 'delivered',
      }
    }),
  )
}

/** Returns the members {@link about} of a message. */
export async function formatAbout(
  context: EvmContext,
  chains: readonly IcmChain[],
  row: EvmIcm.IcmMessage,
): Promise<{ readonly [name in keyof typeof about]: string }> {
  const [sourceEvmChainId, destinationEvmChainId] = await Promise.all([
    evmChainIdText(context, chains, row.source),
    evmChainIdText(context, chains, row.destination),
  ])
  return {
    messageId: Hex.encodeBare(row.messageId),
    sourceBlockchainId: Id.format(row.source),
    destinationBlockchainId: Id.format(row.destination),
    ...{ sourceEvmChainId, destinationEvmChainId },
    messageNonce: String(row.nonce),
    from: addressText(row.sender),
    to: addressText(row.recipient),
  }
}

const transaction = ({ transactionHash, time, gasUsed }: EvmIcm.IcmMessage) => ({
  txHash: Hex.encode(transactionHash),
  timestamp: time,
  gasSpent: String(gasUsed),
})

/** Returns the fees of messages, with the names of their tokens on the source chains. */
export async function formatRewards(messages: readonly Message[]): Promise<ReadonlyMap<Message, Body>> {
  const rewards = new Map<Message, Body>()
  for (const [chain, own] of Map.groupBy(messages, ({ sent }) => sent?.chain)) {
    const fees = own.map((message) => feeOf(message) ?? { token: ZERO_ADDRESS, amount: 0n })
    const contracts =
      chain &&
      (await contractsAt(
        chain.source,
        chain.at,
        fees.map(({ token }) => token),
      ))
    own.forEach((message, i) => {
      const { token, amount } = fees[i] as (typeof fees)[number]
      const named = contracts === undefined ? NO_TOKEN : erc20Token(token, contracts)
      rewards.set(message, { ...named, value: String(amount) })
    })
  }
  return rewards
}

const NO_TOKEN = { address: addressText(ZERO_ADDRESS), name: '', symbol: '', decimals: 0, ercType: 'ERC-20' }
