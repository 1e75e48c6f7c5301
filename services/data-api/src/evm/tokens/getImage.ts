import { Hex } from '@firn/codec'
import { EvmImages, type Image } from '@firn/evm-store'
import { DataApiError } from '../../http/endpoint/DataApiError.ts'
import { type Download, defineDownload } from '../../http/endpoint/Download.ts'
import * as Schema from '../../http/endpoint/Schema.ts'
import { chainOf, type EvmContext } from '../chain/EvmContext.ts'
import { ofChain } from '../chain/inChain.ts'
import { imageHash } from '../chain/parameters.ts'

/** File name extensions by content type. */
const EXTENSIONS: Readonly<Record<Image['contentType'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/**
 * Headers that keep a browser from treating an image as a page, even if somebody opens its address. Pages of other
 * origins may show images and read their bytes, as with all answers of this API.
 */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
}

/**
 * `GET …/nfts/images/{imageHash}`: the stored copy of a token's image. Only copies that the indexer has checked are served, and
 * the service requests nothing from other servers.
 */
export function getImage(context: EvmContext): Download {
  return defineDownload({
    path: '/v1/chains/{chainId}/nfts/images/{imageHash}',
    operationId: 'getNftImage',
    summary: 'The stored copy of an image of a token',
    tag: 'EVM',
    scope: 'data',
    units: 1,
    pathParameters: { ...ofChain(context), imageHash },
    queryParameters: {},
    mediaType: 'image/*',
    response: Schema.text('The image as PNG, JPEG, GIF, WebP or AVIF', 'GIF89a'),
    open: async ({ path }) => {
      const { store } = chainOf(context, path.chainId)
      const image = await EvmImages.byHash(store, path.imageHash)
      if (image === undefined) {
        const message =
          'imageHash: no copy of an image with this hash is stored; old copies may have been removed'
        throw new DataApiError('DATA_NOT_FOUND', message)
      }
      const { contentType, bytes } = image
      const hash = Hex.encodeBare(path.imageHash)
      return {
        contentType,
        name: `${hash}.${EXTENSIONS[contentType]}`,
        size: bytes.length,
        tag: `"${hash}"`,
        headers: HEADERS,
        parts: once(bytes),
      }
    },
  })
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
