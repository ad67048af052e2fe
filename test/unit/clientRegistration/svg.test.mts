import { readSvg } from '../../../nodes/SchoolPartner/registration/svg.ts';
import { BOOK, svg } from './pictures.mts';

const backgroundOf = (content: string, attributes?: string) => readSvg(svg(content, attributes))?.background;

describe('an SVG', () => {
	test('drawn on nothing is fine', () => {
		expect(readSvg(svg(BOOK))).toEqual({
			width: 128,
			height: 128,
			isInPoints: false,
			background: 'none',
			hasActiveContent: false,
		});
	});

	test.each([
		['in pixels', 'width="128px" height="128px"', 128, 128],
		['only by its view box', 'viewBox="0 0 128 128"', 128, 128],
		['in percent of its view box', 'width="100%" height="100%" viewBox="0 0 128 128"', 128, 128],
		['as 64x128', 'width="64" height="128"', 64, 128],
		['with another scale inside', 'width="128" height="128" viewBox="0 0 24 24"', 128, 128],
		['in points', 'width="96pt" height="96pt"', 128, 128],
		['in millimetres', 'width="128mm" height="128mm"', NaN, NaN],
		['not at all', '', undefined, undefined],
	])('tells its size %s', (_, attributes, width, height) => {
		expect(readSvg(svg(BOOK, attributes))).toMatchObject({ width, height });
	});

	test.each([
		['a rectangle', '<rect width="128" height="128" fill="#fff"/>'],
		['a rectangle in percent', '<rect width="100%" height="100%" fill="white"/>'],
		['a rectangle in pixels', '<rect width="128px" height="128px" fill="rgb(255, 255, 255)"/>'],
		['a rectangle with no fill said, which is black', '<rect width="128" height="128"/>'],
		['a rectangle larger than the picture', '<rect x="-10" y="-10" width="200" height="200" fill="red"/>'],
		['a rectangle in a group with a fill', '<g fill="#123456"><rect width="128" height="128"/></g>'],
		['a rectangle with a style', '<rect width="128" height="128" style="fill:#fff;opacity:1" fill="none"/>'],
		['a rectangle with a prefix', '<s:rect xmlns:s="http://www.w3.org/2000/svg" width="128" height="128"/>'],
		['a rectangle behind a book', `<rect width="128" height="128" fill="#fff"/>${BOOK}`],
	])('has a background when it has %s over it', (_, content) => {
		expect(backgroundOf(content)).toBe('opaque');
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
	])('has a background by %s', (_, content, attributes) => {
		expect(backgroundOf(content, attributes)).toBe('opaque');
	});

	test.each([
		['a rectangle without fill', '<rect width="128" height="128" fill="none"/>'],
		['a transparent rectangle', '<rect width="128" height="128" style="fill:transparent"/>'],
		['a rectangle in a group without fill', '<g fill="none"><rect width="128" height="128"/></g>'],
		['the empty path of an icon set', '<path d="M0 0h128v128H0z" fill="none"/>'],
		['one that is not shown', '<rect width="128" height="128" display="none"/>'],
		['a group that is not shown', '<g style="display:none"><rect width="128" height="128"/></g>'],
		['a definition that nothing refers to', '<defs><rect width="128" height="128"/></defs>'],
		[
			'a clip',
			`<clipPath id="c"><rect width="128" height="128"/></clipPath><g clip-path="url(#c)">${BOOK}</g>`,
		],
		['a round plate', '<circle cx="64" cy="64" r="64"/>'],
		['a small rectangle', '<rect x="14" y="14" width="100" height="100"/>'],
		['an outline without fill', '<rect width="128" height="128" fill="none" stroke="#000"/>'],
		['a comment', '<!-- <rect width="128" height="128"/> -->'],
	])('has none with %s', (_, content) => {
		expect(backgroundOf(content)).toBe('none');
	});

	// Whatever can be a background and is not plainly one or none: a person looks.
	test.each([
		['two halves', '<rect width="64" height="128"/><rect x="64" width="64" height="128"/>'],
		['four quarters', ['0 0', '0 64', '64 0', '64 64'].map(quarterAt).join('')],
		['all but a sliver', '<rect width="128" height="120"/>'],
		['a path', '<path d="M0 0h128v128H0z" fill="#eee"/>'],
		['a path in absolute lines', '<path d="M0,0 L128,0 L128,128 L0,128 Z"/>'],
		['a path of curves', '<path d="M-60-60C64-60 64-60 190-60S190 190 190 190Q64 190-60 190T-60-60z"/>'],
		['a path of arcs', '<path d="M-64 64a128 128 0 01256 0a128 128 0 01-256 0z"/>'],
		['a polygon', '<polygon points="0,0 128,0 128,128 0,128"/>'],
		['a circle around it all', '<circle cx="64" cy="64" r="91"/>'],
		['an ellipse around it all', '<ellipse cx="64" cy="64" rx="100" ry="100"/>'],
		['a thick line', '<path d="M0 64H12" stroke="red" stroke-width="128"/>'],
		['a square scaled up', '<rect width="1" height="1" transform="scale(128)"/>'],
		['a square scaled up by a group', '<g transform="scale(128)"><rect width="1" height="1"/></g>'],
		['a square scaled up by a style', '<rect width="1" height="1" style="transform:scale(128)"/>'],
		['a style sheet', '<style>rect{width:100%;height:100%}</style><rect/>'],
		['a style sheet in a section', '<style><![CDATA[svg { background: red }]]></style>'],
		['a shape referred to', '<defs><path id="s" d="M0 0h128v128H0z"/></defs><use href="#s"/>'],
		['a full gradient', '<linearGradient id="g"/><rect width="128" height="128" fill="url(#g)"/>'],
		['rounded corners', '<rect width="128" height="128" rx="24" fill="#1a73e8"/>'],
		['one that is seen through', '<rect width="128" height="128" fill="#fff" opacity=".99"/>'],
		['one that is hidden', '<rect width="128" height="128" opacity="0"/>'],
		['a colour that is seen through', '<rect width="128" height="128" fill="rgb(255 255 255 / 50%)"/>'],
		['digits that are seen through', '<rect width="128" height="128" fill="#ffffff80"/>'],
		['a group that is seen through', '<g opacity="0.5"><rect width="128" height="128"/></g>'],
		['a raster picture', '<image href="data:image/png;base64,AA"/>'],
		['a filter, which can flood', `<filter id="f"><feFlood/></filter><g filter="url(#f)">${BOOK}</g>`],
		['a picture in the picture', '<svg viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'],
		['an animation', '<rect width="1" height="1"><set attributeName="width" to="128"/></rect>'],
		['a length in another unit', '<rect width="99mm" height="99mm"/>'],
		['a frame', '<path fill-rule="evenodd" d="M0 0h128v128H0zM32 32h64v64H32z"/>'],
	])('with %s is undecided', (_, content) => {
		expect(backgroundOf(content)).toBe('undecided');
	});

	test('that is scaled as a whole is undecided', () => {
		expect(backgroundOf('<rect width="1" height="1"/>', 'viewBox="0 0 128 128" transform="scale(128)"')).toBe(
			'undecided',
		);
	});

	test('with a gradient for a background of its own is undecided', () => {
		const style = 'width="128" height="128" style="background:linear-gradient(red,blue)"';
		expect(backgroundOf(BOOK, style)).toBe('undecided');
	});

	test.each([
		['a script', '<script>alert(1)</script>', true],
		['an event handler', '<path onload="alert(1)" d=""/>', true],
		['foreign content', '<foreignObject/>', true],
		['a reference to another address', '<use href="https://evil.example/x.svg#a"/>', true],
		['a picture from another address', '<image href="https://evil.example/x.png"/>', true],
		['a picture inside it', '<image href="data:image/png;base64,AA"/>', false],
		['a path of this computer in the notes of a program', '<g i:export="C:\\logos" xmlns:i="urn:i"/>', false],
		['a reference inside it', '<path fill="url(#g)" style="mask:url( \'#m\' )" d=""/>', false],
		['a paint from another address', '<path fill="url(https://evil.example/#g)" d=""/>', true],
		['a style from another address', '<path style="fill:url(//evil.example/#g)" d=""/>', true],
		['a style sheet that imports', '<style>@import "https://evil.example/x.css"</style>', true],
		['a style sheet with escapes', '<style>@\\69mport "//evil.example/x.css"</style>', true],
		['a script under a prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg"/>', true],
		['a link that is a script', '<a href=" javascript:alert(1)"><path d=""/></a>', true],
		['an animation that writes a link', '<a><set attributeName="href" to="javascript:alert(1)"/></a>', true],
		['an animation that writes a handler', '<set attributeName="onclick" to="alert(1)"/>', true],
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
		['an entity that is not declared', svg('&a;')],
		['an entity from a file', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]><svg>&a;</svg>'],
		['a PNG', '\u0089PNG\r\n'],
	])('cannot be read from %s', (_, source) => {
		expect(readSvg(source)).toBeUndefined();
	});

	test.each([
		['entities within entities', '<!ENTITY a "x"><!ENTITY b "&a;&a;">'],
		['an entity from a file', '<!ENTITY a SYSTEM "file:///etc/hostname">'],
		['an entity from another address', '<!ENTITY % a SYSTEM "https://evil.example/x.dtd"> %a;'],
		['a parameter within an entity', '<!ENTITY a "%b;">'],
		['tags in an entity', "<!ENTITY a '<script/>'>"],
		['attributes', '<!ATTLIST svg onload CDATA "alert(1)">'],
	])('whose document type declares %s has active content', (_, subset) => {
		const source = svg(BOOK).replace('<svg', `<!DOCTYPE svg [${subset}]><svg`);
		expect(readSvg(source)).toMatchObject({ width: 128, hasActiveContent: true });
	});

	test('that loads a style sheet has active content', () => {
		const sheet = '<?xml-stylesheet href="https://evil.example/x.css"?>';
		expect(readSvg(`${sheet}<svg xmlns="http://www.w3.org/2000/svg"/>`)?.hasActiveContent).toBe(true);
	});

	test('as drawing programs export it is read', () => {
		const doctype =
			'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
		const exported = svg(`<title>Books &amp; clubs</title>${BOOK}`).replace(
			'<svg',
			`${doctype}\n<!-- made by hand --><svg`,
		);
		expect(readSvg(`\uFEFF${exported}\n`)).toMatchObject({ width: 128, background: 'none' });
	});

	test('as Illustrator exports it, with names for its namespaces, is read', () => {
		const doctype = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
			<!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
			<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
		]>`;
		const attributes =
			'xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" x="0px" y="0px" width="128pt" height="128pt" viewBox="0 0 128 128" style="enable-background:new 0 0 128 128;" xml:space="preserve"';
		expect(readSvg(svg(BOOK, attributes).replace('<svg', `${doctype}<svg`))).toEqual({
			width: (128 * 4) / 3,
			height: (128 * 4) / 3,
			isInPoints: true,
			background: 'none',
			hasActiveContent: false,
		});
	});
});

function quarterAt(place: string): string {
	const [x, y] = place.split(' ');
	return `<rect x="${x}" y="${y}" width="64" height="64"/>`;
}
