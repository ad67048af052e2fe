/** The member of `events` that makes a token a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
export const BACK_CHANNEL_LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
