import { Hex } from '@firn/codec'
import { type ServiceStore, Webhooks } from '@firn/store'
import { createMatcher, type Matcher } from './evm/Matcher.ts'
import { createFilters, type Filters } from './Filters.ts'
import { type UndeliveredFilter, undeliveredFilter } from './icm/undeliveredFilter.ts'
import { type AddressFilter, addressFilter } from './primary/addressFilter.ts'
import { type ValidatorFilter, validatorFilter } from './primary/validatorFilter.ts'
import * as Settings from './Settings.ts'

/** The webhooks of an EVM chain, by when they are told of a block. */
export interface EvmWebhooks {
  readonly executed: Matcher
  readonly settled: Matcher
}

/** The webhooks of a chain of the Primary Network. */
export interface PrimaryWebhooks {
  readonly addresses: Filters<AddressFilter>
  readonly validators: Filters<ValidatorFilter>
}

/** The active webhooks of all sources, in memory. */
export interface Registry {
  /** Reads what has changed. After it, webhooks that were created before the call are known. */
  refresh(): Promise<void>
  /** Returns the webhooks of an EVM chain. */
  ofEvm(source: string): EvmWebhooks
  /** Returns the webhooks of a chain of the Primary Network. */
  ofPrimary(source: string): PrimaryWebhooks
  /** Returns the webhooks for undelivered messages of an EVM chain. */
  ofUndelivered(source: string): Filters<UndeliveredFilter>
}

/** Creates a registry without webhooks. */
export function createRegistry(store: ServiceStore): Registry {
  const ofEvm = perSource((): EvmWebhooks => ({ executed: createMatcher(), settled: createMatcher() }))
  const ofPrimary = perSource(
    (): PrimaryWebhooks => ({ addresses: createFilters(), validators: createFilters() }),
  )
  const ofUndelivered = perSource(() => createFilters<UndeliveredFilter>())
  let revision = 0n
  let reading: Promise<void> = Promise.resolve()

  const putEvm = (webhook: Webhooks.KeyedWebhook) => {
    const { executed, settled } = ofEvm(webhook.source)
    const { eventSignatures, finality } = webhook.settings as Settings.EvmSettings
    const [own, other] = finality === 'settled' ? [settled, executed] : [executed, settled]
    other.remove(webhook.id)
    const keys = webhook.keys.map((key) => Hex.encodeBare(key))
    const filter = { id: webhook.id, fromSequence: webhook.from_sequence, keys, signatures: eventSignatures }
    place(own, webhook, filter)
  }

  const puts: { readonly [T in Settings.EventType]: (webhook: Webhooks.KeyedWebhook) => void } = {
    address_activity: putEvm,
    primary_network_address_activity: (webhook) =>
      place(ofPrimary(webhook.source).addresses, webhook, addressFilter(webhook)),
    validator_activity: (webhook) =>
      place(ofPrimary(webhook.source).validators, webhook, validatorFilter(webhook)),
    icm_undelivered: (webhook) => place(ofUndelivered(webhook.source), webhook, undeliveredFilter(webhook)),
  }

  const read = async () => {
    if ((await Webhooks.revision(store)) === revision) return
    for await (const webhook of Webhooks.changedSince(store, revision)) {
      if (Settings.isEventType(webhook.event_type)) puts[webhook.event_type](webhook)
      revision = webhook.revision
    }
  }

  return {
    refresh() {
      reading = reading.then(read, read)
      return reading
    },
    ofEvm,
    ofPrimary,
    ofUndelivered,
  }
}

/** Returns a function that creates what belongs to a source when it is first asked for. */
function perSource<T>(create: () => T): (source: string) => T {
  const all = new Map<string, T>()
  return (source) => {
    const known = all.get(source) ?? create()
    all.set(source, known)
    return known
  }
}

/** Puts the filter of a webhook into an index while the webhook is active, and removes it otherwise. */
function place<F>(
  filters: { put(filter: F): void; remove(id: string): void },
  { id, is_active: isActive, keys }: Webhooks.KeyedWebhook,
  filter: F,
): void {
  if (isActive && keys.length > 0) filters.put(filter)
  else filters.remove(id)
}
