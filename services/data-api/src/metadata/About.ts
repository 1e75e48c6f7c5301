import type { Body } from '../http/endpoint/Endpoint.ts'
import * as Schema from '../http/endpoint/Schema.ts'
import { LINK_TYPES, type SubnetEntry } from './MetadataSchema.ts'

const ImageAsset = Schema.object('ImageAsset', 'An image', {
  assetId: Schema.optional(Schema.text('Id of the image', 'logo')),
  imageUri: Schema.optional(Schema.text('URL of the image', 'https://example.org/logo.svg')),
})

const ResourceLink = Schema.object('ResourceLink', 'A link to a page', {
  type: Schema.choice(LINK_TYPES, 'Kind of page', 'Website'),
  url: Schema.text('URL of the page', 'https://example.org'),
})

/** Members that the operator's metadata file fills. */
export const aboutMembers = {
  description: Schema.optional(Schema.text('Description', 'A stablecoin')),
  officialSite: Schema.optional(Schema.text('URL of the official site', 'https://example.org')),
  email: Schema.optional(Schema.text('E-mail address', 'info@example.org')),
  logoAsset: Schema.optional(Schema.as(ImageAsset, 'Logo')),
  bannerAsset: Schema.optional(Schema.as(ImageAsset, 'Banner')),
  color: Schema.optional(Schema.text('Colour, as in CSS', '#e84142')),
  resourceLinks: Schema.optional(Schema.list(ResourceLink, 'Links')),
  tags: Schema.optional(Schema.list(Schema.text('Tag', 'stablecoin'), 'Tags')),
}

/** Returns what the operator says about a contract or a subnet in the Data API's format. */
export function aboutBody(about: SubnetEntry) {
  const { description, officialSite, email, logoUri, bannerUri, color, resourceLinks, tags } = about
  return {
    description,
    officialSite,
    email,
    logoAsset: imageAsset(logoUri),
    bannerAsset: imageAsset(bannerUri),
    color,
    resourceLinks,
    tags,
  } satisfies Body
}

function imageAsset(imageUri: string | undefined): Body | undefined {
  return imageUri === undefined ? undefined : { imageUri }
}
