import { createRequire } from 'node:module'
import { join } from 'node:path'
import { redirected } from './client.ts'
import { methodsOf, type SdkMethod } from './sdkMethods.ts'

const NAME = '@avalabs/avacloud-sdk'

/** The second official client, `@avalabs/avacloud-sdk`. For tests only. */
export interface SecondSdk {
  readonly methods: readonly SdkMethod[]
  /** Creates a client for a server at `url`. */
  create(url: string, apiKey?: string): object
}

/**
 * Loads the second official client from a folder in which it is installed. It is no dependency, because its license
 * allows its use only with the networks of its vendor. For tests only.
 */
export function loadSecondSdk(folder: string): SecondSdk {
  const require = createRequire(join(folder, 'package.json'))
  const { AvaCloudSDK } = require(NAME)
  const { HTTPClient } = require(`${NAME}/lib/http.js`)
  const { ClientSDK } = require(`${NAME}/lib/sdks.js`)
  const create = (url: string, apiKey?: string): object =>
    new AvaCloudSDK({
      ...(apiKey === undefined ? {} : { apiKey }),
      ...{ serverURL: url, network: 'fuji', retryConfig: { strategy: 'none' } },
      httpClient: new HTTPClient({ fetcher: redirected(url) }),
    })
  const fileOf = (module: string) => require.resolve(`${NAME}/funcs/${module}.js`)
  return { methods: methodsOf(create('http://127.0.0.1'), ClientSDK, fileOf), create }
}
