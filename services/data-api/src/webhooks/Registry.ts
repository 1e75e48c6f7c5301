import { type ServiceStore, Webhooks } from '@firn/service-store'
import type { Kind } from './kinds/Kind.ts'
import { type EventType, type IndexOf, isEventType, KINDS } from './kinds/Kinds.ts'

/** The active webhooks of all sources, in memory. */
export interface Registry {
  /** Reads what has changed. After it, webhooks that were created before the call are known. */
  refresh(): Promise<void>
  /** Returns the webhooks of a kind and a source. */
  of<T extends EventType>(type: T, source: string): IndexOf<T>
}

/** Creates a registry without webhooks. */
export function createRegistry(store: ServiceStore): Registry {
  const indexes = new Map<string, unknown>()
  let revision = 0n
  let reading: Promise<void> = Promise.resolve()

  const indexOf = (type: EventType, source: string) => {
    const key = `${type} ${source}`
    const known = indexes.get(key) ?? KINDS[type].index.create()
    indexes.set(key, known)
    return known
  }

  const read = async () => {
    if ((await Webhooks.revision(store)) === revision) return
    for await (const webhook of Webhooks.changedSince(store, revision)) {
      const { event_type: type, is_active: isActive, keys, source, id } = webhook
      if (isEventType(type)) {
        const { index }: Kind = KINDS[type]
        if (isActive && keys.length > 0) index.put(indexOf(type, source), webhook)
        else index.remove(indexOf(type, source), id)
      }
      revision = webhook.revision
    }
  }

  return {
    refresh() {
      reading = reading.then(read, read)
      return reading
    },
    of: <T extends EventType>(type: T, source: string) => indexOf(type, source) as IndexOf<T>,
  }
}
