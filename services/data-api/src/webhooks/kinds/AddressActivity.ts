import { Hex } from '@firn/codec'
import { addressText } from '../../evm/chain/addressText.ts'
import { chainOf } from '../../evm/chain/EvmContext.ts'
import * as EvmParameters from '../../evm/chain/parameters.ts'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Parameter from '../../http/endpoint/Parameter.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import type { Value } from '../common/canonical.ts'
import * as members from '../common/members.ts'
import * as Source from '../common/Source.ts'
import { evmFeed } from '../evm/evmFeed.ts'
import { createMatcher, type EvmWebhooks } from '../evm/Matcher.ts'
import { TEST_EVENT } from '../evm/testEvent.ts'
import type { TransactionEvent } from '../evm/transactionEvent.ts'
import { define } from './Kind.ts'
import { EVM_ADDRESSES, readChain } from './reading.ts'
import { SHOWN_KEYS, schemasOf } from './shapes.ts'

/** When the messages about a block are sent: as soon as it is stored, or once its results are settled (ACP-194). */
export const FINALITIES = ['accepted', 'executed', 'settled'] as const
export type Finality = (typeof FINALITIES)[number]

/** Options of a webhook for activity on an EVM chain. */
export interface EvmSettings {
  /** Hashes of event signatures (topic 0) in lowercase hex. If it is not empty, only logs with one of them count. */
  readonly eventSignatures: readonly string[]
  readonly includeInternalTxs: boolean
  readonly includeLogs: boolean
  readonly finality: Finality
}

const signatures = Schema.optional(
  Schema.list(
    Field.hash('Topic 0'),
    'If given, a transaction matches only by logs with one of these signatures that an address emitted or that have it as a topic',
  ),
)

const Metadata = Schema.object('AddressActivityMetadata', 'What the webhook observes', {
  addresses: Schema.list(
    Field.evmAddress('Address'),
    `Observed addresses; an answer contains the first ${SHOWN_KEYS}, and \`/addresses\` lists all`,
  ),
  eventSignatures: signatures,
})

/** Options of messages, which can be changed. */
export const INCLUDE = {
  includeInternalTxs: Schema.optional(
    Schema.flag(
      'Whether messages contain internal calls; messages of a block whose traces no node has returned in time contain none',
      false,
    ),
  ),
  includeLogs: Schema.optional(Schema.flag('Whether messages contain the logs of the transaction', false)),
  finality: Schema.optional(
    Schema.choice(
      FINALITIES,
      '`executed` (default) and `accepted`: sent once the block is stored, which is after its execution; `settled`: sent once a later block declares the results settled (ACP-194)',
      'executed',
    ),
  ),
}

const MOST_SIGNATURES = 64
const SIGNATURES: members.ListRules<string> = {
  expected: 'topics of 0x and 64 hexadecimal digits',
  most: MOST_SIGNATURES,
  parse: (text) => {
    const hash = EvmParameters.hash.parse([text])
    return hash && Hex.encode(hash)
  },
}

function transactionPart(
  { transaction, logs, internalTransactions }: TransactionEvent,
  { includeInternalTxs, includeLogs }: EvmSettings,
  isRemoval: boolean,
): Value {
  const all = {
    transaction: {
      ...transaction,
      // The official client drops members that it does not know, so the removal must also be in one that it knows.
      ...(isRemoval ? { txStatus: 'removed' } : {}),
      ...(includeInternalTxs && internalTransactions !== undefined ? { internalTransactions } : {}),
    },
    ...(includeLogs ? { logs: logs.map((log) => (isRemoval ? { ...log, removed: true } : log)) } : {}),
  }
  return all as Value
}

/** Transactions of an EVM chain that involve observed addresses. */
export const addressActivity = define({
  isOfficial: true,
  ...schemasOf('address_activity', 'EVMAddressActivity', {
    response: 'A webhook for an EVM chain',
    request: 'A webhook for an EVM chain',
    members: { chainId: Schema.text('EVM chain id, or a blockchain id in CB58', '43114') },
    metadata: Metadata,
    options: INCLUDE,
  }),
  async read(body, metadata, context) {
    const { chain, parsed, served } = await readChain(body, context)
    const keys = members.list(metadata, 'addresses', EVM_ADDRESSES) ?? []
    if (keys.length === 0) throw Parameter.refused('metadata.addresses', 'at least one address', 'none')
    const includeInternalTxs = members.flag(body, 'includeInternalTxs') ?? false
    if (includeInternalTxs && !served.chain.hasTraces) {
      throw new DataApiError(
        'DATA_PARAMETER',
        'includeInternalTxs: the chain is stored without internal calls',
      )
    }
    const settings: EvmSettings = {
      eventSignatures: members.list(metadata, 'eventSignatures', SIGNATURES) ?? [],
      includeInternalTxs,
      includeLogs: members.flag(body, 'includeLogs') ?? false,
      finality: members.choice(body, 'finality', FINALITIES) ?? 'executed',
    }
    return { source: Source.ofEvm(parsed), chain, settings, keys }
  },
  async position(source, { evm }) {
    return (await chainOf(evm, Source.evmChainId(source)).store.snapshot()).sequence
  },
  body: ({ eventSignatures, ...options }: EvmSettings, keys) => ({
    metadata: {
      addresses: keys.map(addressText),
      eventSignatures: eventSignatures.length === 0 ? undefined : eventSignatures,
    },
    ...options,
  }),
  event: (body, settings: EvmSettings, isRemoval) =>
    transactionPart(JSON.parse(body) as TransactionEvent, settings, isRemoval),
  testEvent: TEST_EVENT,
  index: {
    create: (): EvmWebhooks => ({ executed: createMatcher(), settled: createMatcher() }),
    put({ executed, settled }, webhook) {
      const { eventSignatures: signatures, finality } = webhook.settings as EvmSettings
      const [own, other] = finality === 'settled' ? [settled, executed] : [executed, settled]
      other.remove(webhook.id)
      const keys = webhook.keys.map((key) => Hex.encodeBare(key))
      own.put({ id: webhook.id, fromSequence: webhook.from_sequence, keys, signatures })
    },
    remove({ executed, settled }, id) {
      executed.remove(id)
      settled.remove(id)
    },
  },
  follow: {
    over: 'evm',
    sourceOf: Source.ofEvm,
    feed: (chain, webhooks: EvmWebhooks, { logger }) => evmFeed(chain, webhooks, logger),
  },
})
