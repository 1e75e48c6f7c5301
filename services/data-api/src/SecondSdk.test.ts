import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documented } from './testing/document.ts'
import { openSdkFixture, type SdkFixture } from './testing/sdkFixture.ts'
import { callSdk } from './testing/sdkMethods.ts'
import { loadSecondSdk } from './testing/secondSdk.ts'

/** Methods of the second official client that do not work, with the reason. There are at most five. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'lookingGlass.compositeQuery':
    'It combines lists of holders, of users of the bridge for BTC.b and of validators in one query; each list has a separate path.',
  'metrics.chains.listTokenHoldersAboveThreshold':
    'The client expects the member sortKey as text, but the Data API specifies it as a number, and it is in no other client.',
}

/** The methods of version 0.13.0 and their paths. */
const METHODS: readonly (readonly [name: string, path: string])[] = JSON.parse(
  readFileSync(new URL('../vectors/second-sdk-methods.json', import.meta.url), 'utf8'),
)

/** Folder in which the client is installed. */
const FOLDER = process.env['FIRN_SECOND_SDK'] ?? ''

test('has every path of the second client, and at most five exceptions with reasons', async () => {
  const served = new Set((await documented()).endpoints.map(({ path }) => path))
  expect(METHODS).toHaveLength(97)
  const missing = METHODS.filter(([, path]) => !served.has(path)).map(([name]) => name)
  expect(missing).toEqual(['lookingGlass.compositeQuery'])
  const names = METHODS.map(([name]) => name)
  expect(Object.keys(EXCEPTIONS).filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(5)
  for (const reason of Object.values(EXCEPTIONS)) expect(reason.split(' ').length).toBeGreaterThan(5)
})

/** Calls every method. Without the client, these tests do not exist, because nobody needs it to contribute. */
function callAll() {
  let fixture: SdkFixture
  beforeAll(async () => {
    fixture = await openSdkFixture()
  })
  afterAll(() => fixture?.close())

  const call = (name: string) => {
    const { url, dagUrl, ownerKey } = fixture
    const isOwned = /^(?:webhooks|data\.usageMetrics)\./.test(name)
    const sdk = loadSecondSdk(FOLDER).create(
      name.includes('.vertices.') ? dagUrl : url,
      isOwned ? ownerKey : undefined,
    )
    return callSdk(sdk, name, requestOf(name))
  }

  const requestOf = (name: string): object | undefined => {
    const token = fixture.requestOf('data.evm.contracts')
    switch (name) {
      case 'metrics.chains.getTeleporterMetrics':
        return { chainId: '43112', metric: 'teleporterTotalTxnCount' }
      case 'metrics.chains.listNftHolders':
        return fixture.requestOf('data.nfts')
      case 'metrics.chains.listTokenHoldersAboveThreshold':
        return { ...token, threshold: '0' }
      default:
        return fixture.requestOf(name)
    }
  }

  test('is called by the methods and paths that are listed here', () => {
    const { methods } = loadSecondSdk(FOLDER)
    expect(methods.map(({ name, path }) => [name, path])).toEqual(METHODS)
  })

  test.each(METHODS.map(([name]) => name))(
    'answers %s as the client expects, unless it is an exception',
    async (name) => {
      const isAccepted = await call(name).then(
        () => true,
        (error: Error) => error.message,
      )
      expect(name in EXCEPTIONS ? isAccepted !== true : isAccepted).toBe(true)
    },
  )
}

if (FOLDER !== '') describe('a service', callAll)
