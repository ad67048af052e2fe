/** Whether two addresses are the same service: another one is held. */
import { serviceMark } from '../../../../nodes/SchoolPartnerRoster/run/connection.ts';

const MARK = serviceMark('https://api.example.com');

test.each(['https://API.Example.com', 'https://api.example.com:443/', 'HTTPS://API.EXAMPLE.COM:443'])(
	'%s is the service of https://api.example.com',
	(address) => expect(serviceMark(address)).toBe(MARK),
);

test.each(['https://api.example.com:8443', 'http://api.example.com', 'https://api.example.com/other'])(
	'%s is another one',
	(address) => expect(serviceMark(address)).not.toBe(MARK),
);
