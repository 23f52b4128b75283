use strict;
use warnings;
use LWP::UserAgent;
use HTTP::Request;

my ($path, $url, @headers) = @ARGV;
open my $file, '<:raw', $path or die "$path: $!";

my $request = HTTP::Request->new(PUT => $url, \@headers);
# Without it, LWP sends the bytes of a function in chunks.
$request->content_length(-s $path);
$request->content(sub { read($file, my $bytes, 65536); $bytes });
my $answer = LWP::UserAgent->new(timeout => 60)->request($request);
die $answer->code . ' ' . $answer->content if $answer->code != 200;
