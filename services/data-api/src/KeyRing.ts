import { type ApiKeyRow, ApiKeys, type ServiceStore } from '@firn/store'
import * as ApiKey from './front/ApiKey.ts'

/** Cache lifetime of the keys. It is short so that a revoked key stops working soon. */
const FRESH_MS = 5_000

/**
 * Returns a function that reads the keys of a store and caches them for a few seconds. Concurrent callers
 * share one read.
 */
export function createKeyRing(
  store: ServiceStore,
  now: () => number,
): () => Promise<readonly ApiKey.StoredKey[]> {
  let known: { readonly keys: Promise<readonly ApiKey.StoredKey[]>; readonly until: number } | undefined
  return () => {
    if (known === undefined || known.until <= now()) {
      const keys = listKeys(store)
      known = { keys, until: now() + FRESH_MS }
      keys.catch(() => {
        known = undefined
      })
    }
    return known.keys
  }
}

/** Returns all keys of a store, including revoked keys, from the oldest to the newest. */
export async function listKeys(store: ServiceStore): Promise<readonly ApiKey.StoredKey[]> {
  return (await ApiKeys.list(store)).map(stored)
}

/**
 * Revokes the key that {@link ApiKey.select} finds for `text`, and returns it. `time` is the time of
 * revocation in Unix seconds.
 * @throws DataApiError `DATA_PARAMETER` if `text` does not match exactly one valid key
 */
export async function revokeKey(store: ServiceStore, text: string, time: number): Promise<ApiKey.StoredKey> {
  const key = ApiKey.select(text, await listKeys(store))
  await ApiKeys.revoke(store, key.hash, BigInt(time))
  return key
}

/** Options of {@link createKey}. */
export interface NewKey {
  readonly name: string
  readonly scopes: readonly ApiKey.Scope[]
  readonly unitsPerMinute: number | undefined
  readonly unitsPerDay: number | undefined
}

/** Creates an API key and returns its text. Only a hash of the key is stored. */
export async function createKey(
  store: ServiceStore,
  { name, scopes, unitsPerMinute, unitsPerDay }: NewKey,
  random: (bytes: number) => Uint8Array,
  time: number,
): Promise<string> {
  const key = ApiKey.generate(random)
  await ApiKeys.add(store, {
    hash: ApiKey.hash(key),
    hint: ApiKey.hint(key),
    name,
    scopes: [...scopes],
    units_per_minute: unitsPerMinute ?? null,
    units_per_day: unitsPerDay ?? null,
    created_at: BigInt(time),
    revoked_at: null,
  })
  return key
}

function stored(row: ApiKeyRow): ApiKey.StoredKey {
  return {
    hint: row.hint,
    name: row.name,
    hash: row.hash,
    scopes: ApiKey.SCOPES.filter((scope) => row.scopes.includes(scope)),
    unitsPerMinute: row.units_per_minute ?? undefined,
    unitsPerDay: row.units_per_day ?? undefined,
    createdAt: Number(row.created_at),
    revokedAt: row.revoked_at === null ? undefined : Number(row.revoked_at),
  }
}
