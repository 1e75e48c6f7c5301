import { type ApiKeyRow, ApiKeys, type ServiceStore } from '@firn/store'
import * as ApiKey from './front/ApiKey.ts'

/** How long the keys are cached, so that a revoked one ends soon. */
const FRESH_MS = 5_000

/** Returns the keys of a store, cached for a while; concurrent callers share the read. */
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

/** Returns all keys of a store, revoked ones included, the oldest first. */
export async function listKeys(store: ServiceStore): Promise<readonly ApiKey.StoredKey[]> {
  return (await ApiKeys.list(store)).map(stored)
}

/**
 * Revokes the key that a text names, see {@link ApiKey.select}, at a time in Unix seconds, and returns it.
 * @throws DataApiError `DATA_PARAMETER`: the text does not name exactly one key that is not revoked
 */
export async function revokeKey(store: ServiceStore, text: string, time: number): Promise<ApiKey.StoredKey> {
  const key = ApiKey.select(text, await listKeys(store))
  await ApiKeys.revoke(store, key.hash, BigInt(time))
  return key
}

/** Options of a new key. */
export interface NewKey {
  readonly name: string
  readonly scopes: readonly ApiKey.Scope[]
  readonly unitsPerMinute: number | undefined
  readonly unitsPerDay: number | undefined
}

/** Creates a key and returns its text, which is not stored. */
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
