import { ApiKey } from '@firn/http'
import { ApiKeys, type ServiceStore } from '@firn/service-store'

/**
 * Returns a function that reads the keys of a store and caches them for a few seconds. Concurrent callers
 * share one read.
 */
export function createKeyRing(
  store: ServiceStore,
  now: () => number,
): () => Promise<readonly ApiKey.StoredKey[]> {
  return ApiKey.createRing(() => listKeys(store), now)
}

/** Returns all keys of a store, including revoked keys, from the oldest to the newest. */
export async function listKeys(store: ServiceStore): Promise<readonly ApiKey.StoredKey[]> {
  return (await ApiKeys.list(store)).map(ApiKey.fromRow)
}

/**
 * Revokes the key that {@link ApiKey.select} finds for `text`, and returns it. `time` is the time of
 * revocation in Unix seconds.
 * @throws HttpError `HTTP_KEY` if `text` does not match exactly one valid key
 */
export async function revokeKey(store: ServiceStore, text: string, time: number): Promise<ApiKey.StoredKey> {
  const key = ApiKey.select(text, await listKeys(store))
  await ApiKeys.revoke(store, key.hash, BigInt(time))
  return key
}

/**
 * Replaces the scopes of the key that {@link ApiKey.select} finds for `text`, and returns it.
 * @throws HttpError `HTTP_KEY` if `text` does not match exactly one valid key
 */
export async function setKeyScopes(
  store: ServiceStore,
  text: string,
  scopes: readonly ApiKey.Scope[],
): Promise<ApiKey.StoredKey> {
  const key = ApiKey.select(text, await listKeys(store))
  await ApiKeys.setScopes(store, key.hash, scopes)
  return { ...key, scopes }
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
