import { randomBytes } from 'node:crypto'
import { ApiKey } from '@firn/http'
import type { Operators } from '@firn/operate'
import type { ServiceStore } from '@firn/service-store'
import { createKey, listKeys, revokeKey, setKeyScopes } from './KeyRing.ts'

/** Returns what operators can do with the keys of a store. `now` returns milliseconds since 1970. */
export function createKeyStore(store: ServiceStore, now: () => number): Operators.KeyStore {
  const seconds = () => Math.floor(now() / 1000)
  return {
    list: async () => (await listKeys(store)).map(describe),
    create: ({ name, scopes, unitsPerMinute, unitsPerDay }) => {
      const key = { name, scopes: ApiKey.SCOPES.filter((scope) => scopes.includes(scope)) }
      return createKey(store, { ...key, unitsPerMinute, unitsPerDay }, randomBytes, seconds())
    },
    setScopes: async (keyId, scopes) => {
      const known = ApiKey.SCOPES.filter((scope) => scopes.includes(scope))
      await setKeyScopes(store, keyId, known)
    },
    revoke: async (keyId) => void (await revokeKey(store, keyId, seconds())),
  }
}

function describe(key: ApiKey.StoredKey): Operators.Key {
  const { hint, name, scopes, unitsPerMinute, unitsPerDay, createdAt, revokedAt } = key
  return {
    ...{ keyId: ApiKey.id(key), hint, name, scopes: [...scopes], createdAt },
    ...(unitsPerMinute !== undefined && { unitsPerMinute }),
    ...(unitsPerDay !== undefined && { unitsPerDay }),
    ...(revokedAt !== undefined && { revokedAt }),
  }
}
