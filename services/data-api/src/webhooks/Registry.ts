import { Hex } from '@firn/codec'
import { type ServiceStore, Webhooks } from '@firn/store'
import { createMatcher, type Matcher } from './evm/Matcher.ts'
import type * as Settings from './Settings.ts'

/** The webhooks of an EVM chain, by when they are told of a block. */
export interface EvmWebhooks {
  readonly executed: Matcher
  readonly settled: Matcher
}

/** The active webhooks of all sources, in memory. */
export interface Registry {
  /** Reads what has changed. After it, webhooks that were created before the call are known. */
  refresh(): Promise<void>
  /** Returns the webhooks of an EVM chain. */
  ofEvm(source: string): EvmWebhooks
}

/** Creates a registry without webhooks. */
export function createRegistry(store: ServiceStore): Registry {
  const evm = new Map<string, EvmWebhooks>()
  let revision = 0n
  let reading: Promise<void> = Promise.resolve()

  const ofEvm = (source: string): EvmWebhooks => {
    const known = evm.get(source)
    if (known !== undefined) return known
    const created = { executed: createMatcher(), settled: createMatcher() }
    evm.set(source, created)
    return created
  }

  const put = (webhook: Webhooks.KeyedWebhook) => {
    if (webhook.event_type !== 'address_activity') return
    const { executed, settled } = ofEvm(webhook.source)
    const { eventSignatures, finality } = webhook.settings as Settings.EvmSettings
    const [own, other] = finality === 'settled' ? [settled, executed] : [executed, settled]
    other.remove(webhook.id)
    if (!webhook.is_active || webhook.keys.length === 0) return own.remove(webhook.id)
    own.put({
      id: webhook.id,
      fromSequence: webhook.from_sequence,
      addresses: webhook.keys.map((key) => Hex.encodeBare(key)),
      signatures: eventSignatures,
    })
  }

  const read = async () => {
    if ((await Webhooks.revision(store)) === revision) return
    for await (const webhook of Webhooks.changedSince(store, revision)) {
      put(webhook)
      revision = webhook.revision
    }
  }

  return {
    refresh() {
      reading = reading.then(read, read)
      return reading
    },
    ofEvm,
  }
}
