use strict;
use warnings;
use HTTP::Tiny;

my ($path, $url, %headers) = @ARGV;
open my $file, '<:raw', $path or die "$path: $!";
# Without it, HTTP::Tiny sends the bytes of a function in chunks.
$headers{'Content-Length'} = -s $path;

my $answer = HTTP::Tiny->new(timeout => 60)->put($url, {
    headers => \%headers,
    content => sub { read($file, my $bytes, 65536); $bytes },
});
die "$answer->{status} $answer->{content}" if $answer->{status} != 200;
