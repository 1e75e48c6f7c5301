import { openApiDocument } from '@firn/aggregator'
import { createDataApi } from '@firn/data-api'
import { recordedEvmStore } from '@firn/evm-store/testing'
import { recordedStore } from '@firn/store/testing'
import type { Document } from './Rest.ts'

/**
 * Returns the OpenAPI document of the Data API with all its endpoints, for a network and for an EVM chain. Both are
 * recordings, because the service derives its endpoints from what it serves.
 */
export async function ofDataApi(): Promise<Document> {
  const service = await createDataApi({
    host: '127.0.0.1',
    port: 0,
    store: await recordedStore('local'),
    chains: [{ store: await recordedEvmStore('c'), nodes: [] }],
    aggregateStatus: 'auto',
    limits: undefined,
    timeoutMs: 10_000,
    version: '0',
  })
  try {
    const response = await fetch(`${service.url}/openapi.json`)
    return (await response.json()) as Document
  } finally {
    await service.close()
  }
}

/** Returns the OpenAPI document of the signature aggregator. */
export const ofAggregator = async (): Promise<Document> => (await openApiDocument()) as unknown as Document
