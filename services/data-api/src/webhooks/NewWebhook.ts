import { Bech32, Hex, Id, NodeId } from '@firn/codec'
import { OutboundTarget } from '@firn/outbound'
import { SECRET_ENCODINGS } from '@firn/store'
import { chainId, chainOf } from '../evm/chain/EvmContext.ts'
import * as EvmParameters from '../evm/chain/parameters.ts'
import { DataApiError } from '../http/endpoint/DataApiError.ts'
import * as Parameter from '../http/endpoint/Parameter.ts'
import * as Names from '../primary/network/Names.ts'
import { ANY_SENDER } from './icm/undeliveredFilter.ts'
import * as members from './members.ts'
import * as Settings from './Settings.ts'
import * as Source from './Source.ts'
import { MOST_KEYS, type WebhookContext } from './WebhookContext.ts'

/** What a caller asks for: the source, the options, and what is observed. */
export interface Asked {
  readonly eventType: Settings.EventType
  readonly source: string
  /** The chain as the caller named it. */
  readonly chain: string
  readonly settings: Settings.SettingsOf[Settings.EventType]
  readonly keys: readonly Uint8Array[]
  /** Position of the source after which events are told. */
  readonly fromSequence: bigint
}

export const MOST_URL = 2_048
const MOST_NAME = 128
const MOST_DESCRIPTION = 1_024
const MOST_SIGNATURES = 64
const MOST_IDS = 64

/**
 * Parses the members that every webhook has.
 * @throws DataApiError `DATA_PARAMETER`
 */
export function readCommon(body: members.Members, { policy }: WebhookContext) {
  const url = members.text(body, 'url', MOST_URL)
  return {
    ...(url === undefined ? {} : readUrl(url, policy)),
    name: members.text(body, 'name', MOST_NAME),
    description: members.text(body, 'description', MOST_DESCRIPTION),
    secret_encoding: members.choice(body, 'secretEncoding', SECRET_ENCODINGS),
  }
}

/** The reasons why a URL is refused, in words. */
const REFUSALS: { readonly [F in OutboundTarget.TargetFailure]: string } = {
  'uri-scheme': 'an https URL',
  'uri-credentials': 'a URL without user name and password',
  'uri-port': 'a URL with an allowed port',
  'uri-address': 'a URL with a public address',
  'name-not-found': 'a URL whose host exists',
  timeout: 'a URL whose host exists',
}

function readUrl(text: string, policy: OutboundTarget.TargetPolicy) {
  const url = URL.parse(text)
  if (url === null) throw Parameter.refused('url', 'a URL such as https://example.com/events', 'another text')
  const failure = OutboundTarget.refuse(url, policy)
  if (failure !== undefined) {
    const ports = failure === 'uri-port' ? ` (${policy.ports?.join(', ')})` : ''
    throw Parameter.refused('url', `${REFUSALS[failure]}${ports}`, 'another one')
  }
  return { url: text, host: url.host }
}

/**
 * Parses the members of a new webhook that depend on the kind of its events.
 * @throws DataApiError `DATA_PARAMETER`, `DATA_NOT_FOUND` if the chain is not served, `DATA_UNAVAILABLE`
 */
export async function readAsked(body: members.Members, context: WebhookContext): Promise<Asked> {
  const eventType = members.choice(body, 'eventType', Settings.EVENT_TYPES)
  const metadata = members.required(body, 'metadata', members.inner(body, 'metadata'), 'a JSON object')
  switch (members.required(body, 'eventType', eventType, `one of ${Settings.EVENT_TYPES.join(', ')}`)) {
    case 'address_activity':
      return readEvm(body, metadata, context)
    case 'primary_network_address_activity':
      return readAddresses(body, metadata, context)
    case 'validator_activity':
      return readValidators(body, metadata, context)
    case 'icm_undelivered':
      return readUndelivered(body, metadata, context)
  }
}

/** The rules of a list of EVM addresses. */
export const EVM_ADDRESSES: members.ListRules<Uint8Array> = {
  expected: EvmParameters.addresses.expected.replace(/^.*?addresses/, 'addresses').replace(/,.*$/, ''),
  most: MOST_KEYS,
  parse: (text) => EvmParameters.address.parse([text]),
}

const SIGNATURES: members.ListRules<string> = {
  expected: 'topics of 0x and 64 hexadecimal digits',
  most: MOST_SIGNATURES,
  parse: (text) => {
    const hash = EvmParameters.hash.parse([text])
    return hash && Hex.encode(hash)
  },
}

async function readEvm(
  body: members.Members,
  metadata: members.Members,
  context: WebhookContext,
): Promise<Asked> {
  const { chain, parsed, served } = await readChain(body, context)
  const keys = members.list(metadata, 'addresses', EVM_ADDRESSES) ?? []
  if (keys.length === 0) throw Parameter.refused('metadata.addresses', 'at least one address', 'none')
  const includeInternalTxs = members.flag(body, 'includeInternalTxs') ?? false
  if (includeInternalTxs && !served.chain.hasTraces) {
    throw new DataApiError('DATA_PARAMETER', 'includeInternalTxs: the chain is stored without internal calls')
  }
  return {
    eventType: 'address_activity',
    source: Source.ofEvm(parsed),
    chain,
    settings: {
      eventSignatures: members.list(metadata, 'eventSignatures', SIGNATURES) ?? [],
      includeInternalTxs,
      includeLogs: members.flag(body, 'includeLogs') ?? false,
      finality: members.choice(body, 'finality', Settings.FINALITIES) ?? 'executed',
    },
    keys,
    fromSequence: (await served.store.snapshot()).sequence,
  }
}

async function readChain(body: members.Members, context: WebhookContext) {
  const chain = members.required(body, 'chainId', members.text(body, 'chainId', 64), 'a chain id')
  const parameter = chainId(context.evm)
  await parameter.prepare?.([chain])
  const parsed = parameter.parse([chain])
  if (parsed === undefined) throw Parameter.refused('chainId', parameter.expected, 'another text')
  return { chain, parsed, served: chainOf(context.evm, parsed) }
}

async function readUndelivered(
  body: members.Members,
  metadata: members.Members,
  context: WebhookContext,
): Promise<Asked> {
  const { chain, parsed, served } = await readChain(body, context)
  if (served.chain.isEventsOnly === true)
    throw new DataApiError('DATA_PARAMETER', 'chainId: the chain is stored without messages to other chains')
  const minutes = members.integer(metadata, 'minutes', 1, Settings.MOST_MINUTES)
  const senders = members.list(metadata, 'senders', EVM_ADDRESSES) ?? []
  return {
    eventType: 'icm_undelivered',
    source: Source.ofUndelivered(parsed),
    chain,
    settings: {
      minutes: members.required(metadata, 'minutes', minutes, 'a number of minutes'),
      destinationBlockchainIds: readIds(metadata, 'destinationBlockchainIds', Names.parseId, Id.format),
    },
    keys: senders.length === 0 ? [ANY_SENDER] : senders,
    fromSequence: BigInt(Math.floor(context.now())),
  }
}

async function readAddresses(
  body: members.Members,
  metadata: members.Members,
  context: WebhookContext,
): Promise<Asked> {
  const primary = primaryOf(body, context)
  const chain = members.required(body, 'chainId', members.text(body, 'chainId', 64), 'a chain')
  const parameter = Names.primaryBlockchain(primary)
  const name = parameter.parse([chain])
  if (name === undefined) throw Parameter.refused('chainId', parameter.expected, 'another text')
  const { hrp } = primary.constants
  const keys = members.list(metadata, 'keys', {
    expected: `addresses like P-${hrp}1…`,
    most: MOST_KEYS,
    parse: (text) => parseBech32(text, hrp),
  })
  members.choice(metadata, 'keyType', ['addresses'])
  if (keys === undefined || keys.length === 0)
    throw Parameter.refused('metadata.keys', 'at least one address', 'none')
  const subEvents = readSubEvents(metadata, 'addressActivitySubEvents', Settings.ADDRESS_SUB_EVENTS_OF[name])
  const filter = members.inner(metadata, 'balanceThresholdFilter')
  if (subEvents.includes('balance_threshold'))
    members.required(
      metadata,
      'balanceThresholdFilter',
      filter,
      'a balance and an amount, for balance_threshold',
    )
  return {
    eventType: 'primary_network_address_activity',
    source: Source.ofPrimary(Names.LETTER[name]),
    chain,
    settings: {
      subEvents,
      ...(filter === undefined ? {} : { balanceThresholdFilter: readFilter(filter, name) }),
    },
    keys,
    fromSequence: (await primary.store.snapshot())[Names.LETTER[name]].height,
  }
}

function readFilter(filter: members.Members, chain: Names.ChainName) {
  const types = Settings.BALANCE_TYPES_OF[chain]
  const type = members.choice(filter, 'balanceType', types)
  return {
    balanceType: members.required(filter, 'balanceType', type, `one of ${types.join(', ')}`),
    balanceThreshold: members.required(
      filter,
      'balanceThreshold',
      readAmount(filter, 'balanceThreshold'),
      AMOUNT,
    ),
  }
}

async function readValidators(
  body: members.Members,
  metadata: members.Members,
  context: WebhookContext,
): Promise<Asked> {
  const primary = primaryOf(body, context)
  const type = members.choice(metadata, 'keyType', Settings.VALIDATOR_KEY_TYPES)
  const keyType = members.required(metadata, 'keyType', type, 'nodeId or subnetId')
  const parse = keyType === 'nodeId' ? Names.parseNodeId : Names.parseId
  const keys = members.list(metadata, 'keys', { expected: `values of ${keyType}`, most: MOST_IDS, parse })
  const [key] = keys ?? []
  if (key === undefined || keys?.length !== 1)
    throw Parameter.refused('metadata.keys', 'one key', `${keys?.length ?? 0}`)
  const nodeIds = readIds(metadata, 'nodeIds', Names.parseNodeId, NodeId.format)
  const subnetIds = readIds(metadata, 'subnetIds', Names.parseId, Id.format)
  const [name, limits, own] =
    keyType === 'nodeId' ? ['nodeIds', nodeIds, NodeId.format(key)] : ['subnetIds', subnetIds, Id.format(key)]
  // Events are told only if they are of the key and of the limits.
  if (limits.length > 0 && !limits.includes(own))
    throw Parameter.refused(`metadata.${name}`, 'a list with the key, or none', 'a list without it')
  const subEvents = readSubEvents(metadata, 'validatorActivitySubEvents', Settings.VALIDATOR_SUB_EVENTS)
  const threshold = readAmount(metadata, 'l1ValidatorFeeBalanceThreshold')
  if (subEvents.includes('l1_validator_balance_threshold'))
    members.required(metadata, 'l1ValidatorFeeBalanceThreshold', threshold, AMOUNT)
  return {
    eventType: 'validator_activity',
    source: Source.ofPrimary('P'),
    chain: PLATFORM_CHAIN,
    settings: {
      keyType,
      subEvents,
      nodeIds,
      subnetIds,
      ...(threshold === undefined ? {} : { l1ValidatorFeeBalanceThreshold: threshold }),
    },
    keys: [key],
    fromSequence: (await primary.store.snapshot()).P.height,
  }
}

/** Blockchain id of the P-chain. */
const PLATFORM_CHAIN = '11111111111111111111111111111111LpoYY'
const AMOUNT = 'an amount in nAVAX, as decimal text'

function readAmount(from: members.Members, name: string): string | undefined {
  const amount = members.text(from, name, 20)
  if (amount === undefined || /^[0-9]+$/.test(amount)) return amount
  throw Parameter.refused(members.pathOf(from, name), AMOUNT, 'another text')
}

function readIds(
  metadata: members.Members,
  name: string,
  parse: (text: string) => Uint8Array | undefined,
  format: (bytes: Uint8Array) => string,
): readonly string[] {
  const rules = { expected: `ids (${name})`, most: MOST_IDS, parse }
  return (members.list(metadata, name, rules) ?? []).map((bytes) => format(bytes))
}

function readSubEvents<const T extends string>(
  metadata: members.Members,
  name: string,
  words: readonly T[],
): readonly T[] {
  const subEvents = members.inner(metadata, 'subEvents')
  const expected = `values of ${words.join(', ')}`
  const listed =
    subEvents &&
    members.list(subEvents, name, {
      expected,
      most: words.length,
      parse: (text) => words.find((word) => word === text),
    })
  if (listed === undefined || listed.length === 0)
    throw Parameter.refused(`metadata.subEvents.${name}`, `a list of ${expected}`, 'nothing')
  return listed
}

function primaryOf(body: members.Members, { primary }: WebhookContext) {
  if (primary === undefined)
    throw new DataApiError('DATA_NOT_FOUND', 'eventType: this service does not serve the Primary Network')
  const network = members.required(body, 'network', members.text(body, 'network', 64), 'a network')
  if (!primary.networkNames.has(network)) {
    const expected = `one of ${[...primary.networkNames.keys()].join(', ')}`
    throw Parameter.refused('network', expected, 'another one')
  }
  return primary
}

function parseBech32(text: string, hrp: string): Uint8Array | undefined {
  try {
    const decoded = Bech32.decode(text.replace(/^[PXC]-/, ''))
    return decoded.hrp === hrp && decoded.payload.length === 20 ? decoded.payload : undefined
  } catch {
    return undefined
  }
}
