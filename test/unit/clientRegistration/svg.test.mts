import { readSvg } from '../../../nodes/shared/clientRegistration/svg.ts';
import { BOOK, svg } from './pictures.mts';

const isOpaque = (content: string, attributes?: string) =>
	readSvg(svg(content, attributes))?.hasOpaqueBackground;

describe('an SVG', () => {
	test('drawn on nothing is fine', () => {
		expect(readSvg(svg(BOOK))).toEqual({
			width: 128,
			height: 128,
			hasOpaqueBackground: false,
			hasActiveContent: false,
			hasEmbeddedPicture: false,
		});
	});

	test.each([
		['in pixels', 'width="128px" height="128px"', 128, 128],
		['only by its view box', 'viewBox="0 0 128 128"', 128, 128],
		['in percent of its view box', 'width="100%" height="100%" viewBox="0 0 128 128"', 128, 128],
		['as 64x128', 'width="64" height="128"', 64, 128],
		['with another scale inside', 'width="128" height="128" viewBox="0 0 24 24"', 128, 128],
		['in millimetres', 'width="128mm" height="128mm"', undefined, undefined],
		['not at all', '', undefined, undefined],
	])('tells its size %s', (_, attributes, width, height) => {
		expect(readSvg(svg(BOOK, attributes))).toMatchObject({ width, height });
	});

	test.each([
		['a rectangle', '<rect width="128" height="128" fill="#fff"/>'],
		['a rectangle in percent', '<rect width="100%" height="100%" fill="white"/>'],
		['a rectangle with no fill said, which is black', '<rect width="128" height="128"/>'],
		['a rectangle larger than the picture', '<rect x="-10" y="-10" width="200" height="200" fill="red"/>'],
		['a path', '<path d="M0 0h128v128H0z" fill="#eee"/>'],
		['a path in absolute lines', '<path d="M0,0 L128,0 L128,128 L0,128 Z"/>'],
		['a path drawn backwards', '<path d="M0 0V128H128V0z"/>'],
		['a path of curves', '<path d="M-60-60C64-60 64-60 190-60S190 190 190 190Q64 190-60 190T-60-60z"/>'],
		['a path of arcs', '<path d="M-64 64a128 128 0 01256 0a128 128 0 01-256 0z"/>'],
		['a polygon', '<polygon points="0,0 128,0 128,128 0,128"/>'],
		['a circle around it all', '<circle cx="64" cy="64" r="91"/>'],
		['an ellipse around it all', '<ellipse cx="64" cy="64" rx="100" ry="100"/>'],
		['a square scaled up', '<rect width="1" height="1" transform="scale(128)"/>'],
		[
			'a square moved and scaled by groups',
			'<g transform="translate(64 64)"><g transform="scale(64)"><rect x="-1" y="-1" width="2" height="2"/></g></g>',
		],
		[
			'a square turned',
			'<rect x="-100" y="-100" width="200" height="200" transform="translate(64,64) rotate(45)"/>',
		],
		['a group’s fill', '<g fill="#123456"><rect width="128" height="128"/></g>'],
		['a style attribute', '<rect width="128" height="128" style="fill:#fff;stroke:none"/>'],
		[
			'a style sheet',
			'<style>.a,.b{fill:#fff}</style><rect class="b" width="128" height="128" fill="none"/>',
		],
		[
			'a style sheet in a section',
			'<style><![CDATA[ #bg { fill: rgb(255, 255, 255) } ]]></style><path id="bg" fill="none" d="M0 0h128v128H0z"/>',
		],
		['a shape referred to', '<defs><path id="s" d="M0 0h128v128H0z"/></defs><use href="#s"/>'],
		[
			'a symbol referred to, moved',
			'<symbol id="s"><rect width="128" height="128"/></symbol><g transform="translate(9)"><use xlink:href="#s" x="-9"/></g>',
		],
		[
			'a full gradient',
			'<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="#00f"/></linearGradient><rect width="128" height="128" fill="url(#g)"/>',
		],
		['a shape behind the logo', `<rect width="128" height="128" fill="#fff"/>${BOOK}`],
		['a prefix before its names', '<x:rect xmlns:x="http://www.w3.org/2000/svg" width="128" height="128"/>'],
	])('is told apart when it has a background by %s', (_, content) => {
		expect(isOpaque(content)).toBe(true);
	});

	test.each([
		['a colour of the picture', '', 'width="128" height="128" style="background:#fff"'],
		[
			'the scale of its view box',
			'<rect width="24" height="24"/>',
			'width="128" height="128" viewBox="0 0 24 24"',
		],
		[
			'a view box that starts elsewhere',
			'<rect x="-64" y="-64" width="128" height="128"/>',
			'width="128" height="128" viewBox="-64 -64 128 128"',
		],
		['no view box', '<rect width="128" height="128"/>', 'width="128" height="128"'],
	])('is told apart when it has a background by %s', (_, content, attributes) => {
		expect(isOpaque(content, attributes)).toBe(true);
	});

	test.each([
		['a rectangle without fill', '<rect width="128" height="128" fill="none"/>'],
		['a transparent one', '<rect width="128" height="128" fill="transparent"/>'],
		['one that is seen through', '<rect width="128" height="128" fill="#fff" opacity=".99"/>'],
		['a fill that is seen through', '<rect width="128" height="128" fill="#fff" fill-opacity="50%"/>'],
		['a colour that is seen through', '<rect width="128" height="128" fill="rgba(255,255,255,.5)"/>'],
		['a new colour that is seen through', '<rect width="128" height="128" fill="rgb(255 255 255 / 50%)"/>'],
		['digits that are seen through', '<rect width="128" height="128" fill="#ffffff80"/>'],
		['a group that is seen through', '<g opacity="0.5"><rect width="128" height="128"/></g>'],
		['one that is not shown', '<rect width="128" height="128" display="none"/>'],
		['one that is not visible', '<rect width="128" height="128" visibility="hidden"/>'],
		['a definition that nothing refers to', '<defs><rect width="128" height="128"/></defs>'],
		[
			'a clip',
			'<clipPath id="c"><rect width="128" height="128"/></clipPath><rect width="128" height="128" clip-path="url(#c)"/>',
		],
		['rounded corners', '<rect width="128" height="128" rx="24" fill="#1a73e8"/>'],
		['a round plate', '<circle cx="64" cy="64" r="64"/>'],
		['a frame', '<path fill-rule="evenodd" d="M0 0h128v128H0zM32 32h64v64H32z"/>'],
		['a frame drawn against the hand of the clock', '<path d="M0 0h128v128H0zM32 32v64h64V32z"/>'],
		['half the picture', '<rect width="128" height="64"/>'],
		['all but a sliver', '<rect width="128" height="120"/>'],
		[
			'a gradient that fades out',
			'<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-opacity="0"/></linearGradient><rect width="128" height="128" fill="url(#g)"/>',
		],
		['a gradient that is not there', '<rect width="128" height="128" fill="url(#g)"/>'],
		['an outline without fill', '<rect width="128" height="128" fill="none" stroke="#000"/>'],
		['a loop of references', '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'],
		['a comment', '<!-- <rect width="128" height="128"/> -->'],
	])('with %s has no background', (_, content) => {
		expect(isOpaque(content)).toBe(false);
	});

	test.each([
		['a script', '<script>alert(1)</script>', true],
		['an event handler', '<path onload="alert(1)" d=""/>', true],
		['foreign content', '<foreignObject/>', true],
		['a reference to another address', '<use href="https://evil.example/x.svg#a"/>', true],
		['a picture from another address', '<image href="https://evil.example/x.png"/>', true],
		['a picture inside it', '<image href="data:image/png;base64,AA"/>', false],
		['a link', '<a href="https://club.example"><path d=""/></a>', false],
	])('with %s', (_, content, expected) => {
		expect(readSvg(svg(content))?.hasActiveContent).toBe(expected);
	});

	test.each([
		['nothing', ''],
		['a page', '<html><svg/></html>'],
		['a file cut in two', svg(BOOK).slice(0, -20)],
		['tags that cross', '<svg><g><path></g></path></svg>'],
		['two pictures', '<svg/><svg/>'],
		['text behind it', '<svg/> and more'],
		['entities of its own', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'],
		['a thousand levels', '<g>'.repeat(1000)],
		['more than a megabyte', svg(' '.repeat(1_000_001))],
		['a PNG', '\u0089PNG\r\n'],
	])('cannot be read from %s', (_, source) => {
		expect(readSvg(source)).toBeUndefined();
	});

	test('as drawing programs export it is read', () => {
		const doctype =
			'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
		const exported = svg(`<title>Books &amp; clubs</title>${BOOK}`).replace(
			'<svg',
			`${doctype}\n<!-- made by hand --><svg`,
		);
		expect(readSvg(`\uFEFF${exported}\n`)).toMatchObject({ width: 128, hasOpaqueBackground: false });
	});
});
