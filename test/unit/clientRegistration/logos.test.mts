import {
	checkRegistration,
	type Registration,
} from '../../../nodes/SchoolPartner/registration/registration.ts';
import { BOOK, complete, png, raster, svg, vector, type PngWish } from './pictures.mts';

const messages = (changes: Partial<Registration>) =>
	checkRegistration({ ...complete, ...changes }).findings.map(({ message }) => message);
const messagesFor = (source: string) => messages({ logoSvg: { ...vector, content: Buffer.from(source) } });
const messagesForPng = (wish: PngWish) => messages({ logoPng: { ...raster, content: png(wish) } });

const NOT_READ = 'The SVG logo cannot be read as SVG';
const WRONG_SIZE = 'The SVG logo is not 128x128 pixels';
const ACTIVE = 'The SVG logo holds scripts, foreign content or references to other addresses';

describe('The name of a logo', () => {
	test.each(['matemática.svg', 'leitura em família.svg', 'ciências-2.svg'])('may be %s', (name) => {
		const logoPng = { ...raster, name: name.replace('.svg', '_32x32.png') };
		expect(messages({ logoSvg: { ...vector, name }, logoPng })).toEqual([]);
	});

	test('may be written with composed letters in one file and decomposed ones in the other', () => {
		const logoSvg = { ...vector, name: 'matemática.svg'.normalize('NFD') };
		const logoPng = { ...raster, name: 'matemática_32x32.png'.normalize('NFC') };
		expect(messages({ logoSvg, logoPng })).toEqual([]);
	});
});

describe('An SVG logo', () => {
	test.each([
		['in pixels', 'width="128px" height="128px"', []],
		['by its view box alone', 'viewBox="0 0 128 128"', []],
		['in percent of its view box', 'width="100%" height="100%" viewBox="0,0,128,128"', []],
		['with another scale inside', "width='128' height='128' viewBox='0 0 24 24'", []],
		['as 64x128', 'width="64" height="128"', [WRONG_SIZE]],
		['in points', 'width="128pt" height="128pt"', [WRONG_SIZE]],
		['not at all', '', [WRONG_SIZE]],
	])('may give its size of 128x128 %s', (_, attributes, expected) => {
		expect(messagesFor(svg(BOOK, attributes))).toEqual(expected);
	});

	test('may have a prefix, a document type, and no content', () => {
		const type =
			'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
		const tag = '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="128" height="128"';
		expect(messagesFor(`${type}${tag}>${BOOK}</s:svg>`)).toEqual([]);
		expect(messagesFor(`${tag}/>`)).toEqual([]);
	});

	test.each([
		['a page with a picture', `<!doctype html><html>${svg(BOOK)}</html>`],
		['an SVG that is cut off', svg(BOOK).slice(0, -10)],
		['more than a megabyte', svg(BOOK + ' '.repeat(1_000_000))],
		['nothing', ''],
	])('is not read from %s', (_, source) => {
		expect(messagesFor(source)).toEqual([NOT_READ]);
	});

	test.each([
		['a script', '<script>alert(1)</script>'],
		['a script under a prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg"/>'],
		['an event handler', '<path onload="alert(1)" d=""/>'],
		['foreign content', '<foreignObject/>'],
		['a reference to another address', '<use href="https://evil.example/x.svg#a"/>'],
		['a picture from another address', '<image xlink:href = "//evil.example/x.png"/>'],
		['a reference in other letters', '<use href="&#104;ttps://evil.example/"/>'],
		['a paint from another address', '<path fill="url(https://evil.example/#g)" d=""/>'],
		['a style from another address', '<path style="fill:url( \'//evil.example/#g\')" d=""/>'],
		['a style sheet that imports', '<style>@import "https://evil.example/x.css"</style>'],
		['a link that is a script', '<a href=" javascript:alert(1)"><path d=""/></a>'],
		['an animation that writes a link', '<a><set attributeName="href" to="javascript:alert(1)"/></a>'],
		['an animation that writes a handler', '<set attributeName="onclick" to="alert(1)"/>'],
		['a script under an odd prefix', '<s.é:script xmlns:s.é="http://www.w3.org/2000/svg"/>'],
		['an event handler after a slash', '<path/onload=alert(1)>'],
		['an event handler after a quote', '<path d=""onload="alert(1)"/>'],
		['a style in other letters', '<rect style="fill:&#117;rl(http://evil.example/p)"/>'],
		['an animation in other letters', '<animate attributeName="&#104;ref" to="javascript:alert(1)"/>'],
		['a bracket by its name', '<rect style="fill:url&lpar;http://evil.example/p)"/>'],
		['other letters behind a >', '<rect id=">" style="fill:&#117;rl(http://evil.example/p)"/>'],
		['an event handler behind a <', '<rect id="<" onload="alert(1)"/>'],
		['an escape in a style', `<rect style="font:'a';fill:u\\72l(http://evil.example/p)"/>`],
		['an escape in a paint', '<rect fill="u\\rl(http://evil.example/p)"/>'],
		['an escape in a style sheet', '<style>@\\69mport "http://evil.example/c"</style>'],
		['an escape behind a tag in it', '<style><![CDATA[</style>@\\69mport "http://evil.example/c"]]></style>'],
		['other letters in a style sheet', '<style>&#64;import "http://evil.example/c"</style>'],
		['a comment within a word', '<style>@im<!-- -->port "http://evil.example/c"</style>'],
		['a section that begins within a word', '<style>@im<![CDATA[port "http://evil.example/c"]]></style>'],
		['a section that ends within a word', '<style><![CDATA[@im]]>port "http://evil.example/c"</style>'],
		['a set of pictures', '<path style="mask:image-set(\'http://evil.example/p\' 1x)" d=""/>'],
		['a link to a page', '<a href="https://club.example/"><path d=""/></a>'],
	])('is refused with %s', (_, content) => {
		expect(messagesFor(svg(content))).toEqual([ACTIVE]);
	});

	test.each([
		['an entity that stands for a text', '<!ENTITY ns "urn:ns">'],
		['an entity that holds a paint', '<!ENTITY a "url(//evil.example/p)">'],
		['entities within entities', '<!ENTITY a "&b;">'],
		['attributes of a document type', '<!ATTLIST svg onload CDATA "alert(1)">'],
		['entities that read files', '<!ENTITY a SYSTEM "file:///etc/passwd">'],
	])('is refused with %s', (_, entity) => {
		const [declaration, tag] = svg(BOOK).split('\n');
		expect(messagesFor(`${declaration}<!DOCTYPE svg [${entity}]>${tag}`)).toEqual([ACTIVE]);
	});

	test.each([
		['a picture inside it', '<image href="data:image/png;base64,AA"/>'],
		['references inside it', '<use href="#a"/><path fill="url(#g)" style="mask:url( \'#m\' )" d=""/>'],
		['a path of this computer in the notes of a program', '<g i:export="C:\\logos" xmlns:i="urn:i"/>'],
		['a text that reads like a handler', '<text>Books on tape one = two, href = three</text>'],
		['letters by their number in a text', '<title>Ci&#234;ncias &amp; artes</title>'],
		['a name of a font in quotes', '<text style="font-family:&quot;Open Sans&quot;">a</text>'],
		['a reference inside it in quotes', '<path style="fill:url(&quot;#g&quot;)" d=""/>'],
		['a style sheet in a section', '<style>/* <![CDATA[ */ .a > .b{fill:red} /* ]]> */</style>'],
		['notes in comments', '<!-- R&D: books on one = two -->'],
		['a background, which is not looked at', '<rect width="128" height="128"/>'],
	])('may hold %s', (_, content) => {
		expect(messagesFor(svg(content))).toEqual([]);
	});
});

describe('A PNG logo', () => {
	const OPAQUE = ['The PNG logo has no transparency'];

	test.each([
		['colour with alpha', { colourType: 6 }, []],
		['grey with alpha', { colourType: 4 }, []],
		['a palette with transparent entries', { colourType: 3, transparentColour: true }, []],
		['one colour that is transparent', { colourType: 2, transparentColour: true }, []],
		['alpha, interlaced', { interlaced: true }, []],
		['a palette', { colourType: 3 }, OPAQUE],
		['colour', { colourType: 2 }, OPAQUE],
		['grey', { colourType: 0 }, OPAQUE],
	])('of %s: %j', (_, wish, expected) => {
		expect(messagesForPng(wish)).toEqual(expected);
	});

	test.each([
		['cut off in its header', png().subarray(0, 30)],
		['nothing', Buffer.alloc(0)],
		['a signature alone', png().subarray(0, 8)],
	])('is not read from %s', (_, content) => {
		expect(messages({ logoPng: { ...raster, content } })).toEqual(['The PNG logo cannot be read as PNG']);
	});

	test.each([{ width: 64 }, { height: 16 }])('of %j has the wrong size', (wish) => {
		expect(messagesForPng(wish)).toEqual(['The PNG logo is not 32x32 pixels']);
	});
});
