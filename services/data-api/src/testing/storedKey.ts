import { ApiKey } from '@firn/http'

/** Returns a stored key with the scope `data`. `more` overrides its members. For tests only. */
export function storedKey(key: string, more: Partial<ApiKey.StoredKey> = {}): ApiKey.StoredKey {
  return {
    hint: ApiKey.hint(key),
    name: 'test',
    hash: ApiKey.hash(key),
    scopes: ['data'],
    unitsPerMinute: undefined,
    unitsPerDay: undefined,
    createdAt: 0,
    revokedAt: undefined,
    ...more,
  }
}
